import Core
import Strongbox
import Synchronization
import Testing

@testable import Gateway

/// How a token is found: by the hash of it, among all hashes.
struct TokenTests {
    /// A directory that writes down what it compares.
    private final class Comparisons: Sendable {
        private let list = Mutex<[(known: [UInt8], found: [UInt8])]>([])

        func areEqual(_ known: [UInt8], _ found: [UInt8]) -> Bool {
            list.withLock { $0.append((known, found)) }
            return ConstantTime.areEqual(known, found)
        }

        func take() -> [(known: [UInt8], found: [UInt8])] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }
    }

    private static func token(_ number: Int) -> String { "cs_token-\(number)" }

    private static func caller(_ number: Int, tokens: [Int]) throws -> CallerSettings {
        CallerSettings(
            name: try #require(CallerName("c\(number)")),
            tokenHashes: tokens.map { SHA256.digest(Array(token($0).utf8)) }, policy: Policy(rules: []),
            limits: CallerLimits())
    }

    private static func fields(_ token: String?) -> HTTPFields {
        var fields = HTTPFields()
        if let token { fields.append("authorization", "Bearer \(token)") }
        return fields
    }

    @Test func `CP-04 BR-22 every token, known, unknown or none, is one hash that is compared with all`() throws {
        let comparisons = Comparisons()
        let callers = try (0..<5).map { try Self.caller($0, tokens: [$0 * 2, $0 * 2 + 1]) }
        let directory = CallerDirectory(
            Dictionary(uniqueKeysWithValues: callers.map { ($0.name, $0) }), areEqual: comparisons.areEqual)
        let known = Set(callers.flatMap(\.tokenHashes))
        func compare(_ token: String?) throws -> CallerName? {
            defer {
                let made = comparisons.take()
                #expect(Set(made.map(\.known)) == known)
                #expect(made.count == known.count)
                // Hashes of one length, all of the same one: never the token itself.
                #expect(Set(made.map(\.found)).count == 1)
                #expect(made.allSatisfy { $0.known.count == 32 && $0.found.count == 32 })
            }
            do throws(Problem) {
                return try directory.caller(of: Self.fields(token)).name
            } catch {
                #expect(error.status == 401)
                #expect(error.code == .unauthorized)
                return nil
            }
        }
        for number in 0..<10 { #expect(try compare(Self.token(number)) == callers[number / 2].name) }
        for token in [
            nil, "", "x", "cs_", Self.token(10), Self.token(0) + "x", String(Self.token(0).dropLast()),
            String(repeating: "a", count: 256), String(repeating: "a", count: 257),
        ] {
            #expect(try compare(token) == nil)
        }
    }

    @Test func `CP-04 a token that was taken out of the configuration is 401, and so is the hash of one`() throws {
        let before = try Self.caller(0, tokens: [1, 2])
        let after = try Self.caller(0, tokens: [2])
        #expect(try CallerDirectory([before.name: before]).caller(of: Self.fields(Self.token(1))).name == before.name)
        let directory = CallerDirectory([after.name: after])
        #expect(throws: Problem.self) { try directory.caller(of: Self.fields(Self.token(1))) }
        let hash = SHA256.hex(Array(Self.token(2).utf8))
        for text in [hash, "sha256:" + hash] {
            #expect(throws: Problem.self) { try directory.caller(of: Self.fields(text)) }
        }
    }

    @Test func `a caller without a token cannot be met by the hash of nothing`() throws {
        let empty = CallerSettings(
            name: try #require(CallerName("c")), tokenHashes: [SHA256.digest([])], policy: Policy(rules: []),
            limits: CallerLimits())
        let directory = CallerDirectory([empty.name: empty])
        for token in [nil, "", " "] {
            #expect(throws: Problem.self) { try directory.caller(of: Self.fields(token)) }
        }
    }
}
