/// A JSON text with its index, for what is not secret.
package struct JSONDocument: Hashable, Sendable {
    package let bytes: [UInt8]
    package let index: JSONIndex

    package init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        self.bytes = bytes
        index = try JSONIndex(validating: bytes.span, limits: limits)
    }

    package var root: JSONValue { JSONValue(document: self, node: index.root) }
}

/// One value of a `JSONDocument`.
package struct JSONValue: Hashable, Sendable {
    package let document: JSONDocument
    package let node: JSONIndex.NodeID

    package var kind: JSONIndex.Kind { document.index.kind(of: node) }

    /// The member of that name; `nil` when absent or when this is no object.
    package subscript(_ name: String) -> JSONValue? {
        document.index.member(name, of: node, in: document.bytes.span).map(value(of:))
    }

    package var members: [(name: String, value: JSONValue)] {
        document.index.members(of: node).map { member in (text(at: member.name), value(of: member.value)) }
    }

    package var elements: [JSONValue] { document.index.elements(of: node).map(value(of:)) }

    /// `nil` unless a string.
    package var string: String? { kind == .string ? text(at: document.index.range(of: node)) : nil }

    /// `nil` unless a number without fraction and exponent that fits.
    package var integer: Int64? { kind == .number ? Int64(String(decoding: raw, as: UTF8.self)) : nil }

    package var bool: Bool? { kind == .bool ? raw.first == UInt8(ascii: "t") : nil }

    package var isNull: Bool { kind == .null }

    /// The bytes as they stand: a number keeps every digit.
    package var raw: [UInt8] { Array(document.bytes[document.index.range(of: node)]) }

    private func value(of node: JSONIndex.NodeID) -> JSONValue { JSONValue(document: document, node: node) }

    private func text(at range: Range<Int>) -> String {
        document.index.text(at: range, in: document.bytes.span)
    }
}
