/// The limits of a JSON text (`docs/limits.md`).
package struct JSONLimits: Hashable, Sendable {
    /// Objects and arrays that are open at once.
    package var depth: Int
    /// Members and elements of the whole document.
    package var members: Int
    /// Bytes of one member name, escapes included.
    package var nameBytes: Int
    /// Bytes of one string, escapes included.
    package var stringBytes: Int
    /// Characters of one number.
    package var numberCharacters: Int
    /// May a string hold `\u0000`? Only where nothing that ends a text there will ever see it.
    package var acceptsNUL: Bool

    package init(
        depth: Int = 64, members: Int = 10_000, nameBytes: Int = 256, stringBytes: Int = 256 << 10,
        numberCharacters: Int = 64, acceptsNUL: Bool = false
    ) {
        self.depth = depth
        self.members = members
        self.nameBytes = nameBytes
        self.stringBytes = stringBytes
        self.numberCharacters = numberCharacters
        self.acceptsNUL = acceptsNUL
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
