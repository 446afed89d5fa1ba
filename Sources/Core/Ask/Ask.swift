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
    package var call: Call
    package let createdAt: UnixTime
    /// The grant that it was asked under; `nil` until there is one, and in rows of a first version.
    package var grantID: String?
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
    /// Of a completed `update_item`.
    package var updatedItem: UpdatedItem?
    /// A completed `create_item` that the person saved where the grant does not reach: there is no result.
    package var isSavedOutOfScope = false
    /// The operator said that its refusal is not to be remembered.
    package var isForgiven = false

    package init(
        id: AskID, call: Call, createdAt: UnixTime, grantID: String? = nil, upstreamID: String? = nil,
        state: AskState = .pending,
        expiresAt: UnixTime? = nil, openURL: String? = nil, callbackState: String, denyReason: String? = nil,
        error: ErrorCode? = nil, finishedAt: UnixTime? = nil, deliveredAt: UnixTime? = nil,
        updatedItem: UpdatedItem? = nil, isSavedOutOfScope: Bool = false, isForgiven: Bool = false
    ) {
        self.id = id
        self.call = call
        self.createdAt = createdAt
        self.grantID = grantID
        self.upstreamID = upstreamID
        self.state = state
        self.expiresAt = expiresAt
        self.openURL = openURL
        self.callbackState = callbackState
        self.denyReason = denyReason
        self.error = error
        self.finishedAt = finishedAt
        self.deliveredAt = deliveredAt
        self.updatedItem = updatedItem
        self.isSavedOutOfScope = isSavedOutOfScope
        self.isForgiven = isForgiven
    }
}
