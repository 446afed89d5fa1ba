import Core
import Strongbox

/// The callers of the configuration, found by their tokens.
struct CallerDirectory: Sendable {
    /// Bytes of a token that are looked at; ours have 46.
    static let longestToken = 256

    private let callers: [CallerName: CallerSettings]
    private let tokens: [(hash: [UInt8], caller: CallerName)]
    private let areEqual: @Sendable ([UInt8], [UInt8]) -> Bool

    /// - Parameter areEqual: compares hashes in a time that says nothing of them.
    init(
        _ callers: [CallerName: CallerSettings],
        areEqual: @escaping @Sendable ([UInt8], [UInt8]) -> Bool = ConstantTime.areEqual
    ) {
        self.callers = callers
        tokens = callers.values.flatMap { caller in caller.tokenHashes.map { (hash: $0, caller: caller.name) } }
        self.areEqual = areEqual
    }

    /// Who sends these fields. A token counts in `Authorization: Bearer` only; there must be one such line.
    func caller(of fields: HTTPFields) throws(Problem) -> CallerSettings {
        // No token is looked for like any other, so that every refusal takes the same way.
        let token = Self.bearerToken(fields)
        guard let caller = caller(withToken: token ?? []), token != nil else {
            throw Problem(
                .unauthorized,
                "No caller has this token; send one as `Authorization: Bearer cs_…`. `countersign caller new` makes one."
            )
        }
        return caller
    }

    /// Compares the hash with that of every token, whichever matches, so that the time says nothing.
    private func caller(withToken token: [UInt8]) -> CallerSettings? {
        let hash = SHA256.digest(token)
        var found: CallerName?
        for known in tokens where areEqual(known.hash, hash) { found = known.caller }
        return found.flatMap { callers[$0] }
    }

    private static func bearerToken(_ fields: HTTPFields) -> [UInt8]? {
        let values = fields.values("authorization")
        guard values.count == 1 else { return nil }
        let scheme = Array("bearer ".utf8)
        let value = values[0]
        guard value.count > scheme.count, value.prefix(scheme.count).map(\.asciiLowercased) == scheme else {
            return nil
        }
        let token = Array(value.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") })
        return (1...longestToken).contains(token.count) ? token : nil
    }
}
