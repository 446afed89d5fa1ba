/// A query of `name=value` pairs, percent-encoded (RFC 3986; `+` is a plus sign, not a space).
package struct QueryString: Hashable, Sendable {
    package private(set) var pairs: [(name: String, value: String)] = []

    package init() {}

    /// Decodes exactly once; `nil` for a broken escape, a NUL or what is not UTF-8.
    package init?(parsing text: String) { fatalError() }

    package mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }

    /// The value, when the name is there exactly once.
    package func value(_ name: String) -> String? { fatalError() }
    package func count(_ name: String) -> Int { fatalError() }

    /// Everything but `A-Z a-z 0-9 - . _ ~` percent-encoded.
    package var encoded: String { fatalError() }

    package static func == (left: QueryString, right: QueryString) -> Bool { fatalError() }
    package func hash(into hasher: inout Hasher) { fatalError() }
}
