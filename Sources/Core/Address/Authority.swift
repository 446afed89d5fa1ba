/// `host` or `host:port` (RFC 3986, section 3.2, without user info), as `Host` and URLs carry it.
///
/// Narrower than the RFC on purpose: letters, digits, `-`, `.` and `_`, or an IPv6 literal in brackets. No escapes, no
/// zones, no empty port.
package struct Authority: Hashable, Sendable {
    /// In lower case; an IPv6 literal without its brackets, in the form of RFC 5952.
    package let host: String
    package let port: UInt16?

    /// `nil` for anything else; an empty host too.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")),
                case .v6(let address)? = IPAddress(String(decoding: bytes[1..<bracket], as: UTF8.self))
            else { return nil }
            host = IPAddress.v6(address).description
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard (1...Self.longestHost).contains(end), bytes[..<end].allSatisfy(\.isHostCharacter) else { return nil }
            host = String(decoding: bytes[..<end].map(\.asciiLowercased), as: UTF8.self)
        }
        if end == bytes.endIndex {
            port = nil
        } else {
            guard bytes[end] == UInt8(ascii: ":"), let number = UInt16(decimal: bytes[(end + 1)...]) else { return nil }
            port = number
        }
    }

    /// Bytes of a host name (RFC 1035, section 2.3.4).
    private static let longestHost = 255
}

extension Authority: CustomStringConvertible {
    package var description: String {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return if let port { "\(host):\(port)" } else { host }
    }
}

extension UInt8 {
    fileprivate var isHostCharacter: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: isASCIIDigit
        }
    }
}

extension UInt16 {
    /// Decimal digits only, without a sign and without leading zeros.
    init?(decimal digits: some Collection<UInt8>) {
        guard (1...5).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
        var value = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        self.init(exactly: value)
    }
}
