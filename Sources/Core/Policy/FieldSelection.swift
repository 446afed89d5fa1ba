/// Which record members a rule lets out, or lets be written.
package enum FieldSelection: Hashable, Sendable {
    case all
    /// Flat names, such as `card_number`.
    case only(Set<String>)

    /// What a rule without `fields` lets out.
    package static let standard = FieldSelection.only(["title", "url", "username"])

    package static let none = FieldSelection.only([])

    /// Are all of these in it?
    package func covers(_ names: some Sequence<String>) -> Bool {
        switch self {
        case .all: true
        case .only(let fields): names.allSatisfy(fields.contains)
        }
    }

    /// What is left of it for a call that wants these; `nil` wants all there is.
    package func narrowed(to want: Set<String>?) -> FieldSelection {
        guard let want else { return self }
        switch self {
        case .all: return .only(want)
        case .only(let fields): return .only(fields.intersection(want))
        }
    }

    package var isEmpty: Bool {
        switch self {
        case .all: false
        case .only(let fields): fields.isEmpty
        }
    }
}
