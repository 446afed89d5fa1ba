import Core

/// The text form of bytes in the vector files: `\r \n \t \0 \\ \xHH`, other printed ASCII as it stands.
package enum EscapedBytes {
    /// `nil` for an escape that does not exist.
    package static func unescape(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
                bytes.append(high << 4 | low)
            default: return nil
            }
        }
        return bytes
    }

    package static func escape(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            switch byte {
            case 13: "\\r"
            case 10: "\\n"
            case 9: "\\t"
            case 0: "\\0"
            case UInt8(ascii: "\\"): "\\\\"
            case 0x20..<0x7F: String(UnicodeScalar(byte))
            default: "\\x" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
        }.joined()
    }
}
