/// A vault of a grant.
package struct Vault: Hashable, Sendable {
    package enum Access: String, Hashable, Sendable { case ask, trust }

    package let id: String
    /// The person's own name for it; two vaults may have the same.
    package let name: String
    /// What MimiKey does with a read from it.
    package let policy: Access

    package init(id: String, name: String, policy: Access) {
        self.id = id
        self.name = name
        self.policy = policy
    }
}
