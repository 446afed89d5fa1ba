package import Core
package import Strongbox

extension MimiKeyClient {
    /// Makes a draft, seals the patch to the account's pinned identity key and hands it over: the card is there when this
    /// returns. A draft that has run out before is replaced once.
    ///
    /// - Parameters:
    ///   - patch: `{"patch":{…}}`, at most 49,104 bytes.
    ///   - drafted: is told of each draft before its patch is sealed, so that it can be written down.
    package func update(
        _ call: Call, reason: String?, patch: SecretBody,
        drafted: @escaping @Sendable (RequestSnapshot) async -> Void
    ) async throws(Problem) -> RequestSnapshot {
        throw Problem(.unsupportedOperation, "This version does not carry out this operation.")
    }
}
