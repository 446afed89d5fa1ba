/// The limits of a JSON text (`docs/limits.md`).
package struct JSONLimits: Hashable, Sendable {
    package var depth: Int
    /// Members and elements of the whole document.
    package var members: Int
    /// Bytes of one member name, escapes included.
    package var nameBytes: Int
    /// Bytes of one string, escapes included.
    package var stringBytes: Int
    /// Characters of one number.
    package var numberCharacters: Int

    package init(
        depth: Int = 64, members: Int = 10_000, nameBytes: Int = 256, stringBytes: Int = 256 << 10,
        numberCharacters: Int = 64
    ) {
        self.depth = depth
        self.members = members
        self.nameBytes = nameBytes
        self.stringBytes = stringBytes
        self.numberCharacters = numberCharacters
    }

    package static let standard = JSONLimits()
}

/// Why a text is no JSON as we accept it (RFC 8259, UTF-8 only, no duplicate names, no lone surrogates).
package struct JSONError: Error, Hashable, Sendable {
    /// `invalid_json` or `json_limit`.
    package let code: ErrorCode
    /// Byte offset.
    package let offset: Int
    /// A sentence; it quotes nothing of the text.
    package let detail: String

    package init(_ code: ErrorCode = .invalidJSON, at offset: Int, _ detail: String) {
        self.code = code
        self.offset = offset
        self.detail = detail
    }
}

/// A validated index of a JSON text: kinds and byte ranges, no copies. The bytes stay where they are, so an opened box
/// can be read without leaving locked memory.
package struct JSONIndex: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case object, array, string, number, bool, null }

    /// Names a value of this index.
    package struct NodeID: Hashable, Sendable {
        package let position: Int
        package init(position: Int) { self.position = position }
    }

    /// Never recursive; refuses trailing bytes.
    package init(validating bytes: RawSpan, limits: JSONLimits = .standard) throws(JSONError) { fatalError() }

    package var root: NodeID { fatalError() }
    package func kind(of node: NodeID) -> Kind { fatalError() }
    /// The bytes of the value, quotes included.
    package func range(of node: NodeID) -> Range<Int> { fatalError() }
    /// Members in order: the range of the name (quotes included) and the value. Empty unless an object.
    package func members(of node: NodeID) -> [(name: Range<Int>, value: NodeID)] { fatalError() }
    /// Elements in order. Empty unless an array.
    package func elements(of node: NodeID) -> [NodeID] { fatalError() }
    /// The member of that name, compared after unescaping.
    package func member(_ name: String, of node: NodeID, in bytes: RawSpan) -> NodeID? { fatalError() }
    /// The text of a string node or of a member name, unescaped.
    package func text(at range: Range<Int>, in bytes: RawSpan) -> String { fatalError() }
}

/// A JSON text with its index, for what is not secret.
package struct JSONDocument: Hashable, Sendable {
    package let bytes: [UInt8]
    package let index: JSONIndex

    package init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) { fatalError() }

    package var root: JSONValue { fatalError() }
}

/// One value of a `JSONDocument`.
package struct JSONValue: Hashable, Sendable {
    package let document: JSONDocument
    package let node: JSONIndex.NodeID

    package var kind: JSONIndex.Kind { fatalError() }
    /// The member of that name; `nil` when absent or when this is no object.
    package subscript(_ name: String) -> JSONValue? { fatalError() }
    package var members: [(name: String, value: JSONValue)] { fatalError() }
    package var elements: [JSONValue] { fatalError() }
    /// `nil` unless a string.
    package var string: String? { fatalError() }
    /// `nil` unless a number without fraction and exponent that fits.
    package var integer: Int64? { fatalError() }
    package var bool: Bool? { fatalError() }
    package var isNull: Bool { fatalError() }
    /// The bytes as they stand.
    package var raw: [UInt8] { fatalError() }
}
