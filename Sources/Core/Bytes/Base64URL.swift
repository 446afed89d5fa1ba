/// base64url without padding (RFC 4648, section 5).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var index = 0
        while index < bytes.count {
            let rest = bytes.count - index
            let a = bytes[index]
            let b = rest > 1 ? bytes[index + 1] : 0
            let c = rest > 2 ? bytes[index + 2] : 0
            text.append(alphabet[Int(a >> 2)])
            text.append(alphabet[Int((a & 0x03) << 4 | b >> 4)])
            if rest > 1 { text.append(alphabet[Int((b & 0x0F) << 2 | c >> 6)]) }
            if rest > 2 { text.append(alphabet[Int(c & 0x3F)]) }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Padding may be there or not; non-zero trailing bits are accepted. `nil` for a foreign character, white space or
    /// an impossible length.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var digits = Array(text)
        if digits.count % 4 == 0, digits.last == UInt8(ascii: "=") {
            digits.removeLast()
            if digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for digit in digits {
            guard let value = digit.base64URLValue else { return nil }
            buffer = (buffer << 6 | UInt32(value)) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes
    }

    package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }
}

extension UInt8 {
    package var isBase64URLCharacter: Bool { base64URLValue != nil }

    fileprivate var base64URLValue: UInt8? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
