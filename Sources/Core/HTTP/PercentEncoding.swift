/// Percent-encoding of single components (RFC 3986, section 2.1).
enum PercentEncoding {
    /// Decodes exactly once; `nil` for a broken escape, a NUL or what is not UTF-8. `+` stays a plus sign.
    static func decode(_ text: some Collection<UInt8>) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            var value = byte
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
                value = high << 4 | low
            }
            guard value != 0 else { return nil }
            decoded.append(value)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Everything but `A-Z a-z 0-9 - . _ ~` becomes an escape, with digits in upper case.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// `unreserved` of RFC 3986, section 2.3.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isASCIIDigit
        }
    }
}
