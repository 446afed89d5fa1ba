/// What an `update_item` came to (MimiKey v3, section 5, `updated_item`).
package struct UpdatedItem: Hashable, Sendable {
    package let itemID: String
    package let revision: Int64

    package init(itemID: String, revision: Int64) {
        self.itemID = itemID
        self.revision = revision
    }
}
