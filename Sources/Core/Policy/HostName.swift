/// A host name as it is compared: lower case, no trailing dot, an IPv6 literal without brackets.
///
/// Names beyond ASCII are refused: they are compared as `xn--` names, and to turn one into the other takes tables that
/// two programs may have in different versions.
package struct HostName: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    /// Is it a name, not an address? Only names have a `www.` and subdomains.
    let isName: Bool

    /// `nil` for what is no host name or IP literal. A name whose last label looks like a number is an address to a
    /// browser (`127.1`, `0x7f000001`), so it is one here, in its full form, or nothing.
    package init?(_ text: String) {
        var bytes = text.utf8.map(\.asciiLowercased)[...]
        let isBracketed = bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
        if isBracketed { bytes = bytes.dropFirst().dropLast() }
        if isBracketed || bytes.contains(UInt8(ascii: ":")) {
            guard case .v6(let address)? = IPAddress(String(decoding: bytes, as: UTF8.self)) else { return nil }
            rawValue = IPAddress.v6(address).description
            isName = false
            return
        }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard bytes.count <= 253, labels.allSatisfy(Self.isLabel), let last = labels.last else { return nil }
        rawValue = String(decoding: bytes, as: UTF8.self)
        isName = !Self.looksLikeNumber(last)
        if !isName {
            guard case .v4? = IPAddress(rawValue) else { return nil }
        }
    }

    /// The host of an `http` or `https` URL, or of a bare `host[:port][/path]`; `nil` when there is none, or when two
    /// readers could see two different ones (user info, backslashes, escapes in the host).
    package init?(ofURL text: String) {
        var rest = Array(text.utf8)[...]
        for scheme in ["https://", "http://"]
        where rest.prefix(scheme.utf8.count).map(\.asciiLowercased) == Array(scheme.utf8) {
            rest.removeFirst(scheme.utf8.count)
            break
        }
        let end = rest.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        guard let authority = Authority(rest[..<(end ?? rest.endIndex)]) else { return nil }
        self.init(authority.host)
    }

    package var description: String { rawValue }

    /// RFC 1123, section 2.1, and `_`, which names in use have.
    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy {
                $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "_")
            }
    }

    private static func looksLikeNumber(_ label: ArraySlice<UInt8>) -> Bool {
        if label.starts(with: Array("0x".utf8)) { return label.dropFirst(2).allSatisfy { $0.hexDigitValue != nil } }
        return label.allSatisfy(\.isASCIIDigit)
    }
}
