import Core

/// What a body asks for: its members first, then the vault, then the item.
extension World {
    func operation(
        _ name: String, _ body: JSONValue, by grant: Grant
    ) throws(Refusal) -> CardRequest.Operation {
        switch name {
        case "pick_item": try pick(body, by: grant)
        case "get_item": try get(body, by: grant)
        case "create_item": try create(body, by: grant)
        case "update_item": try update(body, by: grant)
        default: throw .invalidOperation
        }
    }

    private func pick(_ body: JSONValue, by grant: Grant) throws(Refusal) -> CardRequest.Operation {
        let vaultID = try body.text("vault_id", orRefuse: .invalidInput)
        let hint = try body.object("hint").map { Hint($0) } ?? Hint()
        if let vaultID {
            _ = try liveVault(vaultID, of: grant)
        } else {
            guard let first = grant.vaults.first else { throw .vaultNotGranted }
            guard grant.vaults.contains(where: \.isLive) else {
                _ = try liveVault(first.id, of: grant)
                throw .vaultNotGranted
            }
        }
        return .pick(vaultID: vaultID, hint: hint)
    }

    private func get(_ body: JSONValue, by grant: Grant) throws(Refusal) -> CardRequest.Operation {
        guard let itemID = try body.text("item_id", orRefuse: .invalidInput) else { throw .itemIDRequired }
        let vaultID = try namedVault(body, of: grant)
        try checkItem(itemID, in: vaultID)
        return .get(vaultID: vaultID, itemID: itemID)
    }

    private func create(_ body: JSONValue, by grant: Grant) throws(Refusal) -> CardRequest.Operation {
        let vaultID = try body.text("vault_id", orRefuse: .invalidInput)
        let prefill = try body.object("prefill").map { Prefill($0) } ?? Prefill()
        guard let kind = try body.text("kind", orRefuse: .invalidInput), Wire.kinds.contains(kind) else {
            throw .unsupportedKind
        }
        guard let wanted = vaultID ?? grant.vaults.first?.id else { throw .vaultNotGranted }
        return .create(vaultID: try liveVault(wanted, of: grant).id, kind: kind, prefill: prefill)
    }

    private func update(_ body: JSONValue, by grant: Grant) throws(Refusal) -> CardRequest.Operation {
        if let patch = body["patch_enc"], !patch.isNull { throw .invalidInput }
        guard let itemID = try body.text("item_id", orRefuse: .invalidInput) else { throw .itemIDRequired }
        guard let fields = body["fields"], !fields.isNull else { throw .fieldsRequired }
        guard fields.kind == .array, Wire.fieldCounts.contains(fields.elements.count) else { throw .invalidFields }
        var names: [String] = []
        for element in fields.elements {
            guard let name = element.string, Wire.isFieldName(name) else { throw .invalidFields }
            names.append(name)
        }
        let vaultID = try namedVault(body, of: grant)
        try checkItem(itemID, in: vaultID)
        return .update(vaultID: vaultID, itemID: itemID, fields: names)
    }

    private func namedVault(_ body: JSONValue, of grant: Grant) throws(Refusal) -> String {
        guard let id = try body.text("vault_id", orRefuse: .invalidInput) else { throw .vaultNotGranted }
        return try liveVault(id, of: grant).id
    }

    /// Granted, and in the one mode that there still is.
    private func liveVault(_ id: String, of grant: Grant) throws(Refusal) -> SampleVault {
        guard let vault = grant.vault(id) else { throw .vaultNotGranted }
        guard vault.isLive else { throw .modeNotGranted }
        return vault
    }

    /// The documents have no code for an item that is not there.
    private func checkItem(_ id: String, in vaultID: String) throws(Refusal) {
        guard items.contains(where: { $0.id == id && $0.vaultID == vaultID }) else { throw .invalidInput }
    }
}

extension JSONValue {
    /// A member that must be an object when it is there.
    fileprivate func object(_ name: String) throws(Refusal) -> JSONValue? {
        guard let value = self[name], !value.isNull else { return nil }
        guard value.kind == .object else { throw .invalidInput }
        return value
    }
}
