import Core

extension CardRequest {
    /// As create, get, cancel and a patch's upload answer it.
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
        case .completed(.result(let box)): members.append(.init("result_enc", .string(box)))
        case .completed(.updated(let itemID, let revision)):
            members.append(
                .init("updated_item", ["item_id": .string(itemID), "revision": .integer(revision)]))
        case .completed(.savedOutOfScope): members.append(.init("saved_out_of_scope", true))
        case .denied(let reason?): members.append(.init("deny_reason", .string(reason)))
        case .denied(nil), .draft, .pending, .approved, .cancelled, .expired: break
        }
        return .object(members)
    }

    /// As the control door shows it.
    var controlJSON: JSON {
        let vaultID: String?
        let itemID: String?
        var hint: JSON = nil
        var prefill: JSON = nil
        var kind: String?
        var fields: JSON = nil
        switch operation {
        case .pick(let vault, let wanted): (vaultID, itemID, hint) = (vault, nil, wanted.json)
        case .get(let vault, let item): (vaultID, itemID) = (vault, item)
        case .create(let vault, let wanted, let given):
            (vaultID, itemID, kind, prefill) = (vault, nil, wanted, given.json)
        case .update(let vault, let item, let names):
            (vaultID, itemID, fields) = (vault, item, .array(names.map { .string($0) }))
        }
        return [
            "id": .string(id), "grant_id": .string(grantID), "op": .string(operation.name),
            "state": .string(state.name), "reason": .text(reason), "hint": hint, "prefill": prefill,
            "kind": .text(kind), "fields": fields, "vault_id": .text(vaultID), "item_id": .text(itemID),
            "shown": .bool(wasShown), "created_at": .integer(createdAt.seconds), "expires_at": .integer(expiresAt),
        ]
    }
}
