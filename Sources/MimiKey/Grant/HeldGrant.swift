import Core
import Strongbox

/// A grant in use.
struct HeldGrant: Sendable {
    /// Replaced whole when the tokens are renewed.
    var stored: StoredGrant
    var schedule: AccessSchedule
    /// As MimiKey said last.
    var vaults: [Vault]
    var identity: IdentityKeys
    /// Grows with each grant: what an answer says of an older one does not concern this one.
    let epoch: Int
    /// Grows with each pair of tokens: was the refused token still the current one?
    var generation: Int
}

/// The tokens of a refresh, not yet in use.
struct Renewal: Sendable {
    let grant: StoredGrant
    /// As the answer had them; `nil` when it had none.
    let vaults: [Vault]?
    let validUntil: Instant
}

/// What a call is made with.
struct AccessTicket: Sendable {
    let grant: StoredGrant
    let epoch: Int
    let generation: Int
}

extension StoredGrant {
    /// The same grant with other tokens.
    func renewed(_ tokens: consuming Tokens, vaults: [Vault]?) -> StoredGrant {
        StoredGrant(
            grantID: grantID, clientID: clientID, origin: origin, approvalKey: approvalKey, sealKey: sealKey,
            tokens: tokens, vaults: vaults ?? self.vaults, identityKey: identityKey)
    }
}
