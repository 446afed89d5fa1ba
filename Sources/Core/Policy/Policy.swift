/// The rules of one caller. Deny is the default.
package struct Policy: Hashable, Sendable {
    package let rules: [Rule]

    package init(rules: [Rule]) { self.rules = rules }

    /// At the ask, before any card. A rule whose `hosts` need a URL that is missing or unreadable is passed over: it must not
    /// hide a later one that needs none. What is not known yet matches, and is decided at release.
    ///
    /// - Parameter granted: the vaults of the grant, in its order.
    package func decide(_ call: Call, granted: [Vault]) -> Verdict {
        let facts = RuleFacts(asking: call)
        var nearest: (position: Int, mismatch: Mismatch)?
        for (position, rule) in rules.enumerated() where rule.ops.contains(call.op) {
            guard let mismatch = rule.mismatch(facts, granted: granted) else {
                return decide(call, by: position, granted: granted)
            }
            if nearest.map({ $0.mismatch.rawValue < mismatch.rawValue }) ?? true { nearest = (position, mismatch) }
        }
        return .denied(nearest.map { Denial($0.mismatch, rule: $0.position) } ?? .operation)
    }

    /// At release, on the full facts. `fields` of the permission is already narrowed to what the call wants.
    ///
    /// - Parameter isUntapped: nobody was asked for this item: MimiKey approved it by itself.
    package func decideRelease(
        of item: ItemFacts, for call: Call, granted: [Vault], isUntapped: Bool = false
    ) -> Verdict {
        let facts = RuleFacts(releasing: item, for: call)
        var nearest: Mismatch?
        for (position, rule) in rules.enumerated() where rule.ops.contains(call.op) {
            guard let mismatch = rule.mismatch(facts, granted: granted) else {
                // Another rule may decide now than the one that let the ask pass.
                let isTrusted = isUntapped || call.isUntapped(in: item.vaultID ?? call.vaultID, granted: granted)
                if isTrusted, !rule.allowsTrust { return .denied(.trust(rule: position)) }
                let fields = rule.fields.narrowed(to: call.want)
                if fields.isEmpty { return .denied(.noFieldLeft) }
                return .allowed(
                    Permission(
                        rule: position, fields: fields, vaultID: call.vaultID, allowsTrust: rule.allowsTrust))
            }
            if nearest.map({ $0.rawValue < mismatch.rawValue }) ?? true { nearest = mismatch }
        }
        switch nearest {
        case nil: return .denied(.operation)
        case .host, .unreadableURL, .missingURL: return .denied(.itemHost)
        case .vault, .item, .kind: return .denied(.chosenItem)
        }
    }

    /// Can any rule be about this vault?
    package func reaches(_ vault: Vault, granted: [Vault]) -> Bool {
        rules.contains { rule in rule.vaultIDs(among: granted)?.contains(vault.id) ?? true }
    }

    /// The conditions of the rule that decides.
    private func decide(_ call: Call, by position: Int, granted: [Vault]) -> Verdict {
        let rule = rules[position]
        let vaultID = call.vaultID ?? rule.onlyVault(among: granted)
        switch call.op {
        case .updateItem:
            guard vaultID != nil || rule.vaults == nil else { return .denied(.missingVaultID(rule: position)) }
            guard rule.writes.covers(call.patch?.names ?? []) else { return .denied(.writes(rule: position)) }
            return .allowed(Permission(rule: position, fields: .none, vaultID: vaultID))
        case .createItem where vaultID == nil:
            return decideVault(for: call, granted: granted)
        case .getItem where !rule.allowsTrust && call.isUntapped(in: vaultID, granted: granted):
            return .denied(.trust(rule: position))
        case .pickItem, .getItem, .createItem:
            let fields = rule.fields.narrowed(to: call.want)
            guard !fields.isEmpty else { return .denied(.fields(rule: position)) }
            return .allowed(
                Permission(rule: position, fields: fields, vaultID: vaultID, allowsTrust: rule.allowsTrust))
        }
    }

    /// A new item that says no vault goes to the first granted one that it may go to.
    private func decideVault(for call: Call, granted: [Vault]) -> Verdict {
        var denial = Denial.noVault
        for vault in granted {
            var placed = call
            placed.vaultID = vault.id
            switch decide(placed, granted: granted) {
            case .allowed(let permission): return .allowed(permission)
            case .denied(.fields(let rule)): denial = .fields(rule: rule)
            case .denied: continue
            }
        }
        return .denied(denial)
    }
}

extension Call {
    /// Does MimiKey carry it out in that vault without asking anybody?
    fileprivate func isUntapped(in vaultID: String?, granted: [Vault]) -> Bool {
        op == .getItem && granted.contains { $0.id == vaultID && $0.policy == .trust }
    }
}

extension Denial {
    fileprivate init(_ mismatch: Mismatch, rule: Int) {
        self =
            switch mismatch {
            case .vault: .vault
            case .item: .item
            case .kind: .kind
            case .host: .host
            case .unreadableURL: .unreadableURL
            case .missingURL: .missingURL(rule: rule)
            }
    }
}
