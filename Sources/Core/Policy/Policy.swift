/// Which record members a rule lets out.
package enum FieldSelection: Hashable, Sendable {
    case all
    /// Flat names, such as `card_number`.
    case only(Set<String>)

    /// What a rule without `fields` lets out.
    package static let standard = FieldSelection.only(["title", "url", "username"])
}

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

    /// At the ask: an unknown fact matches, except where `hosts` needs `hint.url`.
    package func decide(_ call: Call) -> Verdict { fatalError() }

    /// At release, on the full facts. `fields` of the verdict is already narrowed to what the call wants.
    package func decideRelease(of facts: ItemFacts, for call: Call) -> Verdict { fatalError() }
}
