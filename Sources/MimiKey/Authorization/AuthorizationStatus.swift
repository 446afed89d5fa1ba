package import Core

/// An authorization that was begun. `url` is the `mimikey://authorize?…` deep link.
package struct AuthorizationStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable { case waiting, completed, denied, cancelled, expired, failed }

    package let id: String
    package let url: String
    package let expiresAt: UnixTime
    package var state: State
    /// With `failed` and `denied`.
    package var error: ErrorCode?
}
