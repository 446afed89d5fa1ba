/// What became of a callback.
package enum CallbackOutcome: Hashable, Sendable {
    /// It ended an authorization: how.
    case authorization(AuthorizationStatus)
    /// Its `state` is no authorization's.
    case unknown
    /// No `code` and no `error`.
    case invalid
}
