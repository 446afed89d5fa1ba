package import Core

/// What became of a callback.
package enum CallbackOutcome: Hashable, Sendable {
    /// It ended an authorization: how.
    case authorization(AuthorizationStatus)
    /// It belongs to an ask: look at it now. `error`: what the app reported.
    case ask(AskID, error: ErrorCode?)
    /// Its `state` is nobody's.
    case unknown
    /// No `code` and no `error`.
    case invalid
}
