import Core

/// A request of a client, and how far the person has got with it.
struct CardRequest: Sendable {
    enum Operation: Hashable, Sendable {
        /// `vaultID` absent: across all granted vaults.
        case pick(vaultID: String?, hint: Hint)
        case get(vaultID: String, itemID: String)

        var name: String {
            switch self {
            case .pick: "pick_item"
            case .get: "get_item"
            }
        }
    }

    enum State: Hashable, Sendable {
        /// Waits for the person.
        case pending
        /// A read from a `trust` vault: the device has yet to carry it out.
        case approved
        /// Final: the sealed result, as it stands on the wire.
        case completed(result: String)
        /// Final.
        case denied(reason: String?)
        /// Final.
        case cancelled
        /// Final.
        case expired

        var name: String {
            switch self {
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
            case .pending, .approved: false
            case .completed, .denied, .cancelled, .expired: true
            }
        }
    }

    let id: String
    let grantID: String
    let operation: Operation
    let reason: String?
    let createdAt: UnixTime
    /// Unix seconds.
    let expiresAt: Int64
    var state: State
    /// Its URL was opened on the phone.
    var wasShown = false

    /// As create, get and cancel answer it.
    var json: JSON {
        var members: [JSON.Member] = [
            .init("id", .string(id)),
            .init("op", .string(operation.name)),
            .init("status", .string(state.name)),
            .init("created_at", .integer(createdAt.seconds)),
            .init("expires_at", .integer(expiresAt)),
            .init("open_url", .string(Wire.openURL(requestID: id))),
        ]
        switch state {
        case .completed(let result): members.append(.init("result_enc", .string(result)))
        case .denied(let reason?): members.append(.init("deny_reason", .string(reason)))
        case .denied(nil), .pending, .approved, .cancelled, .expired: break
        }
        return .object(members)
    }

    /// As the control door shows it.
    var controlJSON: JSON {
        let vaultID: String?
        let itemID: String?
        let hint: JSON
        switch operation {
        case .pick(let vault, let wanted): (vaultID, itemID, hint) = (vault, nil, wanted.json)
        case .get(let vault, let item): (vaultID, itemID, hint) = (vault, item, nil)
        }
        return [
            "id": .string(id), "grant_id": .string(grantID), "op": .string(operation.name),
            "state": .string(state.name), "reason": .text(reason), "hint": hint, "vault_id": .text(vaultID),
            "item_id": .text(itemID), "shown": .bool(wasShown), "created_at": .integer(createdAt.seconds),
            "expires_at": .integer(expiresAt),
        ]
    }
}
