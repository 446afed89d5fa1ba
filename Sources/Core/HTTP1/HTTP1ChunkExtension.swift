/// The form of chunk extensions, `;name=value` or `;name="quoted"` (RFC 9112, section 7.1.1), byte by byte.
///
/// They mean nothing here and are passed over, but not blindly: no white space outside quotes, no empty name.
struct HTTP1ChunkExtension: Sendable {
    private enum Place: Sendable {
        case nameStart
        case name
        case valueStart
        case value
        case quoted
        case escaped
        case afterQuoted
    }

    private var place = Place.nameStart

    /// May the line end here?
    var mayEnd: Bool {
        switch place {
        case .name, .value, .afterQuoted: true
        case .nameStart, .valueStart, .quoted, .escaped: false
        }
    }

    /// Takes the next byte after the first semicolon; `false` when it cannot stand there.
    mutating func take(_ byte: UInt8) -> Bool {
        switch place {
        case .nameStart:
            place = .name
            return byte.isTokenCharacter
        case .name:
            if byte == UInt8(ascii: "=") {
                place = .valueStart
                return true
            }
            return takeToken(byte)
        case .valueStart:
            place = byte == UInt8(ascii: "\"") ? .quoted : .value
            return place == .quoted || byte.isTokenCharacter
        case .value: return takeToken(byte)
        case .quoted:
            if byte == UInt8(ascii: "\"") { place = .afterQuoted }
            if byte == UInt8(ascii: "\\") { place = .escaped }
            return isText(byte)
        case .escaped:
            place = .quoted
            return isText(byte)
        case .afterQuoted:
            place = .nameStart
            return byte == UInt8(ascii: ";")
        }
    }

    private mutating func takeToken(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: ";") {
            place = .nameStart
            return true
        }
        return byte.isTokenCharacter
    }

    private func isText(_ byte: UInt8) -> Bool { byte.isVisible || byte == .space || byte == .tab || byte >= 0x80 }
}
