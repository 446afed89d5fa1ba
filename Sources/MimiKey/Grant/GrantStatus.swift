package import Core
package import Strongbox

/// The grant as it may be shown: never a token.
package struct GrantStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case none, active, revoked
        case refreshUnknown = "refresh_unknown"
    }

    package let state: State
    /// Of `refresh_unknown`.
    package let unknownCause: UnknownCause?
    package let grantID: String?
    package let fingerprint: Fingerprint?
    package let vaults: [Vault]
    package let accessExpiresAt: UnixTime?
}
