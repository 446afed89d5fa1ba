/// What can be asked of the person (MimiKey v3, section 5).
package enum Operation: String, Hashable, Sendable, CaseIterable {
    case pickItem = "pick_item"
    case getItem = "get_item"
    case createItem = "create_item"
    case updateItem = "update_item"

    /// What this version carries out.
    package static let supported = Set(allCases)
}
