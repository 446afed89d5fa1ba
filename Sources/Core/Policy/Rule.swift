/// One rule of a caller. Matchers that are absent match anything; the first rule whose matchers all match decides. What
/// follows them are conditions of the rule that decides: when they do not hold, no later rule is asked.
package struct Rule: Hashable, Sendable {
    package var ops: Set<Operation>
    /// `nil`: any host.
    package var hosts: [HostPattern]?
    /// Ids or names, as they are written; `nil`: any vault.
    package var vaults: [String]?
    /// Ids; `nil`: any item.
    package var items: Set<String>?
    /// `nil`: any kind.
    package var kinds: Set<String>?
    /// What is let out of an item.
    package var fields: FieldSelection
    /// What may be written of an item.
    package var writes: FieldSelection
    /// May an item be read from a vault where MimiKey asks nobody?
    package var allowsTrust: Bool

    package init(
        ops: Set<Operation>, hosts: [HostPattern]? = nil, vaults: [String]? = nil, items: Set<String>? = nil,
        kinds: Set<String>? = nil, fields: FieldSelection = .standard, writes: FieldSelection = .none,
        allowsTrust: Bool = false
    ) {
        self.ops = ops
        self.hosts = hosts
        self.vaults = vaults
        self.items = items
        self.kinds = kinds
        self.fields = fields
        self.writes = writes
        self.allowsTrust = allowsTrust
    }

    /// The ids of the granted vaults that the rule names; `nil`: any.
    func vaultIDs(among granted: [Vault]) -> Set<String>? {
        vaults.map { Set($0.compactMap { Vault.id(named: $0, among: granted) }) }
    }

    /// The one vault that the rule is for.
    func onlyVault(among granted: [Vault]) -> String? {
        guard let ids = vaultIDs(among: granted), ids.count == 1 else { return nil }
        return ids.first
    }
}

extension Vault {
    /// The id of the granted vault that a rule names by its id or its name. A name that two of them have names neither: which
    /// one was meant is not guessed.
    package static func id(named text: String, among granted: [Vault]) -> String? {
        if granted.contains(where: { $0.id == text }) { return text }
        let named = granted.filter { $0.name == text }
        return named.count == 1 ? named[0].id : nil
    }

    /// Is it the name of several of these vaults, so that a rule cannot name one by it?
    package static func isAmbiguous(_ text: String, among granted: [Vault]) -> Bool {
        !granted.contains { $0.id == text } && granted.count { $0.name == text } > 1
    }
}
