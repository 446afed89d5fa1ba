/// What is known of the chosen item when a result is released.
package struct ItemFacts: Hashable, Sendable {
    package var itemID: String?
    /// The item's own URL, as it stands in the record.
    package var url: String?
    package var vaultID: String?
    package var kind: String?

    package init(itemID: String? = nil, url: String?, vaultID: String? = nil, kind: String? = nil) {
        self.itemID = itemID
        self.url = url
        self.vaultID = vaultID
        self.kind = kind
    }
}

/// A decision.
package enum Verdict: Hashable, Sendable {
    case allowed(Permission)
    case denied(Denial)
}

/// What the rule that decides gives.
package struct Permission: Hashable, Sendable {
    /// Its position, from 0.
    package let rule: Int
    /// What is let out, narrowed to what the call wants. Nothing of an update.
    package let fields: FieldSelection
    /// The vault to ask for: the call's own, or the one that the rule says.
    package let vaultID: String?
    /// May MimiKey hand the item over without a card?
    package let allowsTrust: Bool

    package init(rule: Int, fields: FieldSelection, vaultID: String? = nil, allowsTrust: Bool = false) {
        self.rule = rule
        self.fields = fields
        self.vaultID = vaultID
        self.allowsTrust = allowsTrust
    }
}

package enum Denial: Hashable, Sendable {
    /// No rule has this op.
    case operation
    /// No rule matches, for want of this vault, item, kind or host.
    case vault, item, kind, host
    /// A rule would match, but its `hosts` cannot be decided because `hint.url` or `prefill.url` is missing.
    case missingURL(rule: Int)
    /// `hint.url` or `prefill.url` is no URL with a host.
    case unreadableURL
    /// The rule that decides is for certain vaults, and nothing is known of an update after its card.
    case missingVaultID(rule: Int)
    /// The grant has no vault in which this caller may make an item.
    case noVault
    /// The rule that decides lets out nothing of what is wanted, and no card is made for nothing.
    case fields(rule: Int)
    /// It does not let all of this be written.
    case writes(rule: Int)
    /// It does not allow reading where nobody is asked.
    case trust(rule: Int)
    /// At release: the chosen item belongs to another host, or has none.
    case itemHost
    /// At release: it is in another vault, of another kind, or another item than the rules allow.
    case chosenItem
    /// At release: nothing of what was wanted is let out.
    case noFieldLeft
}
