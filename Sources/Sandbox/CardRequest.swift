import Core

/// A request of a client, and how far the person has got with it.
struct CardRequest: Sendable {
    let id: String
    let grantID: String
    let operation: Operation
    let reason: String?
    let createdAt: UnixTime
    /// Unix seconds.
    var expiresAt: Int64
    /// When the person could first see it: a draft becomes pending late.
    var pendingSince: UnixTime
    var state: State
    /// An update's, as it came: still sealed to the account.
    var patch: [UInt8]?
    /// It is not there any more: what a look at it is answered.
    var deleted: Refusal?
    /// Before that the service does not know it yet.
    var visibleFrom: UnixTime
    /// Its URL was opened on the phone.
    var wasShown = false

    init(
        id: String, grantID: String, operation: Operation, reason: String?, at now: UnixTime, expiresAt: Int64,
        state: State
    ) {
        self.id = id
        self.grantID = grantID
        self.operation = operation
        self.reason = reason
        createdAt = now
        pendingSince = now
        visibleFrom = now
        self.expiresAt = expiresAt
        self.state = state
    }
}

extension CardRequest {
    enum Operation: Hashable, Sendable {
        /// `vaultID` absent: across all granted vaults.
        case pick(vaultID: String?, hint: Hint)
        case get(vaultID: String, itemID: String)
        case create(vaultID: String, kind: String, prefill: Prefill)
        case update(vaultID: String, itemID: String, fields: [String])

        var name: String {
            switch self {
            case .pick: "pick_item"
            case .get: "get_item"
            case .create: "create_item"
            case .update: "update_item"
            }
        }
    }

    enum State: Hashable, Sendable {
        /// An update that waits for its patch; becomes pending or expires.
        case draft
        /// Waits for the person.
        case pending
        /// A read that was allowed: the device has yet to carry it out.
        case approved
        /// Final.
        case completed(Outcome)
        /// Final.
        case denied(reason: String?)
        /// Final.
        case cancelled
        /// Final.
        case expired

        var name: String {
            switch self {
            case .draft: "draft"
            case .pending: "pending"
            case .approved: "approved"
            case .completed: "completed"
            case .denied: "denied"
            case .cancelled: "cancelled"
            case .expired: "expired"
            }
        }

        var isFinal: Bool {
            switch self {
            case .draft, .pending, .approved: false
            case .completed, .denied, .cancelled, .expired: true
            }
        }
    }

    /// What a completed request brings.
    enum Outcome: Hashable, Sendable {
        /// The sealed result, as it stands on the wire.
        case result(String)
        case updated(itemID: String, revision: Int64)
        /// A new item was saved where the grant does not reach: nothing is given out.
        case savedOutOfScope
    }
}
