/// Reads the words of a field value from left to right (RFC 9110, section 5.6). Each method that finds nothing leaves
/// the position where it was.
struct FieldValueScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Spaces and tabs.
    mutating func skipWhiteSpace() {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
    }

    /// `true` when the next byte is this one, which is then behind us.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// A token, in lower case.
    mutating func token() -> String? {
        let start = position
        while position < bytes.count, bytes[position].isTokenCharacter { position += 1 }
        guard position > start else { return nil }
        return String(decoding: bytes[start..<position].map(\.asciiLowercased), as: UTF8.self)
    }

    /// A token in lower case, or the text of a quoted string as it stands.
    mutating func word() -> String? {
        let start = position
        guard take("\"") else { return token() }
        var text: [UInt8] = []
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { break }
                byte = bytes[position]
                position += 1
            }
            guard byte == 0x09 || (byte >= 0x20 && byte != 0x7F) else { break }
            text.append(byte)
        }
        position = start
        return nil
    }

    /// The text between the quotes of an entity tag (RFC 9110, section 8.8.3): there, a backslash is a character like any.
    mutating func opaqueTag() -> String? {
        let start = position
        guard take("\"") else { return nil }
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                return String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self)
            }
            guard byte == 0x21 || (byte >= 0x23 && byte != 0x7F) else { break }
        }
        position = start
        return nil
    }
}
