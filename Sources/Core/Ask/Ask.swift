/// Where an ask stands. MimiKey's states, plus `failed`.
package enum AskState: String, Hashable, Sendable, CaseIterable {
    case draft
    case pending
    case approved
    case completed
    case denied
    case cancelled
    case expired
    /// Ended by an error; `error` says which.
    case failed

    package var isFinished: Bool {
        switch self {
        case .draft, .pending, .approved: false
        case .completed, .denied, .cancelled, .expired, .failed: true
        }
    }
}

/// One ask, as it is journalled: written before the card is asked for, completed with MimiKey's id, kept 24 h after
/// its end. It holds no result and no secret.
package struct Ask: Hashable, Sendable {
    package let id: AskID
    package let call: Call
    package let createdAt: UnixTime
    /// MimiKey's id; `nil` until MimiKey answered.
    package var upstreamID: String?
    package var state: AskState
    /// MimiKey's deadline.
    package var expiresAt: UnixTime?
    /// The `mimikey://` URL that shows the card, our callback state included.
    package var openURL: String?
    /// The `state` that a callback for this ask carries.
    package var callbackState: String
    package var denyReason: String?
    package var error: ErrorCode?
    package var finishedAt: UnixTime?
    /// When the result was first delivered completely.
    package var deliveredAt: UnixTime?

    package init(
        id: AskID, call: Call, createdAt: UnixTime, upstreamID: String? = nil, state: AskState = .pending,
        expiresAt: UnixTime? = nil, openURL: String? = nil, callbackState: String, denyReason: String? = nil,
        error: ErrorCode? = nil, finishedAt: UnixTime? = nil, deliveredAt: UnixTime? = nil
    ) {
        self.id = id
        self.call = call
        self.createdAt = createdAt
        self.upstreamID = upstreamID
        self.state = state
        self.expiresAt = expiresAt
        self.openURL = openURL
        self.callbackState = callbackState
        self.denyReason = denyReason
        self.error = error
        self.finishedAt = finishedAt
        self.deliveredAt = deliveredAt
    }
}
