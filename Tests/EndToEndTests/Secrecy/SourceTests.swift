import Foundation
import Testing

/// What no line of the product may say.
struct SourceTests {
    private struct Line {
        let place: String
        let first: String
        /// With the two lines below it.
        let text: String
    }

    /// Every statement that begins on a line, up to three lines long, without comments.
    private static func lines() throws -> [Line] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardized
        let names = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
        return try names.filter { $0.hasSuffix(".swift") }.flatMap { name in
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.trimmingCharacters(in: .whitespaces).hasPrefix("//") ? "" : String(line)
            }
            return lines.indices.map { index in
                Line(
                    place: "\(name):\(index + 1)", first: lines[index],
                    text: lines[index..<min(index + 3, lines.count)].joined(separator: " "))
            }
        }
    }

    @Test func `SE-14 no trap says anything but a fixed sentence`() throws {
        let lines = try Self.lines()
        #expect(lines.count > 5000)
        var traps = 0
        let trap = /^\s*(?:.*[^\w.])?(?:precondition|preconditionFailure|assert|assertionFailure|fatalError)\((.*)/
        for line in lines {
            guard ["precondition", "assert", "fatalError"].contains(where: line.first.contains),
                let found = line.text.firstMatch(of: trap)
            else { continue }
            // Only what begins on this line.
            traps += 1
            let message = found.1.firstMatch(of: /"((?:\\.|[^"\\])*)"/)
            #expect(message?.1.contains("\\(") != true, "\(line.place) says a value")
            #expect(message != nil, "\(line.place) says nothing, or something that is made up at run time")
        }
        #expect(traps >= 10, "the search found too little")
        // These print what they were given: an error, a key, a value.
        for line in lines {
            let first = line.first
            if ["try!", "rint(", "dump(", "NSLog("].contains(where: first.contains) {
                #expect(
                    first.firstMatch(of: /\btry!|\bprint\(|\bdebugPrint\(|\bdump\(|\bNSLog\(/) == nil, "\(line.place)")
            }
            if first.contains("uniqueKeysWithValues") {
                #expect(line.place.contains("ErrorCatalogue"), "\(line.place)")
            }
        }
    }

    /// A key has no copy in ordinary memory, and no text; a token has one where it must stand in a request.
    @Test func `SE-07 only what must stand in a request is copied out of locked memory`() throws {
        var found: [String] = []
        for line in try Self.lines() {
            let first = line.first
            guard first.contains(".exposed()") || first.contains(".copied()") else { continue }
            found.append(String(line.place.prefix { $0 != ":" }))
        }
        #expect(
            Set(found) == [
                // What `exposed` is; hashes of public values; the fingerprint of a patch; the account's public key, which is sealed
                // against a change; the challenge; a token or a verifier in a body or field.
                "Strongbox/Secret.swift", "Strongbox/HPKE/HPKE.swift", "Strongbox/Store/ColumnSeal.swift",
                "Strongbox/Store/GrantRecords.swift",
                "MimiKey/Authorization/MimiKeyClient+authorization.swift", "MimiKey/Wire/Wire+authorization.swift",
                "MimiKey/Wire/Wire+signing.swift",
            ])
    }

    @Test func `SE-15 random bytes come from libsodium's generator alone, in one place`() throws {
        let other =
            /\.random\(|randomElement\(|\.shuffle|RandomNumberGenerator|\b[dls]?rand(?:48)?\(|\brandom_r?\(|arc4random|RAND_bytes|urandom|randombytes_set|getentropy/
        for line in try Self.lines() {
            if ["rand", "Random", "shuffle", "RAND", "entropy"].contains(where: line.first.contains) {
                #expect(line.first.firstMatch(of: other) == nil, "\(line.place)")
            }
            if line.first.contains("randombytes") {
                #expect(line.place.hasPrefix("Strongbox/Sodium/"), "\(line.place)")
            }
        }
    }

    /// libsodium opens a device, and keeps it open, where the kernel has no `getrandom`; that call waits at an early boot
    /// until there is enough to begin with.
    @Test func `SE-15 the gateway reads no random device`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        #expect(try await stage.ask(wait: 20).state == "completed")
        let directory = "/proc/\(stage.gateway.processID)/fd"
        if getuid() == 0 {
            let open = try FileManager.default.contentsOfDirectory(atPath: directory).map { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: directory + "/" + name)) ?? ""
            }
            #expect(open.count > 5)
            #expect(!open.contains { $0.contains("random") }, "\(open)")
        } else {
            // Nobody but root is told; then the same library, asked from here.
            #expect(FileManager.default.isReadableFile(atPath: directory) == false)
        }
        await stage.end()
    }
}
