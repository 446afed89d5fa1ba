/// One rule of a caller. Matchers that are absent match anything; the first rule whose matchers all match decides.
package struct Rule: Hashable, Sendable {
    package var ops: Set<Operation>
    /// `nil`: any host.
    package var hosts: [HostPattern]?
    package var fields: FieldSelection

    package init(ops: Set<Operation>, hosts: [HostPattern]? = nil, fields: FieldSelection = .standard) {
        self.ops = ops
        self.hosts = hosts
        self.fields = fields
    }
}

/// What is known of the chosen item when a result is released.
package struct ItemFacts: Hashable, Sendable {
    /// The item's own URL, as it stands in the record.
    package var url: String?
    package var vaultID: String?
    package var kind: String?

    package init(url: String?, vaultID: String? = nil, kind: String? = nil) {
        self.url = url
        self.vaultID = vaultID
        self.kind = kind
    }
}

/// A decision, with the rule that made it (its position, from 0).
package enum Verdict: Hashable, Sendable {
    case allowed(rule: Int, fields: FieldSelection)
    case denied(Denial)
}

package enum Denial: Hashable, Sendable {
    /// No rule has this op.
    case operation
    /// At the ask: the rule that decides lets out nothing of what is wanted, and no card is made for nothing.
    case fields(rule: Int)
    /// A rule has the op, but its `hosts` cannot be decided because `hint.url` is missing.
    case missingHintURL(rule: Int)
    /// `hint.url` is no URL with a host.
    case unreadableHintURL
    /// The host is in no rule.
    case host
    /// At release: the chosen item belongs to another host, or has none.
    case itemHost
    /// At release: nothing of what was wanted is let out.
    case noFieldLeft
}

/// The rules of one caller. Deny is the default.
package struct Policy: Hashable, Sendable {
    package let rules: [Rule]

    package init(rules: [Rule]) { self.rules = rules }

    /// At the ask, before any card. A rule whose `hosts` need a `hint.url` that is missing or unreadable is passed over:
    /// it must not hide a later one that needs none. What it lets out is decided again at release.
    package func decide(_ call: Call) -> Verdict {
        let hint = call.hint.url.map { HostName(ofURL: $0) }
        var missing: Int?
        var hasOperation = false
        for (position, rule) in rules.enumerated() where rule.ops.contains(call.op) {
            hasOperation = true
            guard let hosts = rule.hosts, call.op.namesHost else {
                return allow(position, call, orDeny: .fields(rule: position))
            }
            guard let hint else {
                missing = missing ?? position
                continue
            }
            if let host = hint, hosts.contains(where: { $0.matches(host) }) {
                return allow(position, call, orDeny: .fields(rule: position))
            }
        }
        if !hasOperation { return .denied(.operation) }
        if let missing { return .denied(.missingHintURL(rule: missing)) }
        return .denied(hint == .some(.none) ? .unreadableHintURL : .host)
    }

    /// At release, on the full facts. `fields` of the verdict is already narrowed to what the call wants.
    package func decideRelease(of facts: ItemFacts, for call: Call) -> Verdict {
        let host = facts.url.flatMap { HostName(ofURL: $0) }
        var hasOperation = false
        for (position, rule) in rules.enumerated() where rule.ops.contains(call.op) {
            hasOperation = true
            guard let hosts = rule.hosts else { return allow(position, call, orDeny: .noFieldLeft) }
            if let host, hosts.contains(where: { $0.matches(host) }) {
                return allow(position, call, orDeny: .noFieldLeft)
            }
        }
        return .denied(hasOperation ? .itemHost : .operation)
    }

    private func allow(_ position: Int, _ call: Call, orDeny denial: Denial) -> Verdict {
        let fields = rules[position].fields.narrowed(to: call.want)
        return fields.isEmpty ? .denied(denial) : .allowed(rule: position, fields: fields)
    }
}

extension Operation {
    /// Does the ask itself say which host it is for? The others name an item, whose host shows at release.
    fileprivate var namesHost: Bool {
        switch self {
        case .pickItem, .createItem: true
        case .getItem, .updateItem: false
        }
    }
}
