extension HTTPVersion {
    /// Reads `HTTP/1.1` or `HTTP/1.0`, in just these letters (RFC 9112, section 2.3).
    ///
    /// Other numbers of the same form are refused with 505: a version that is not known is not guessed at.
    init(parsing bytes: [UInt8]) throws(HTTP1DecodeError) {
        let name = Array("HTTP/".utf8)
        guard bytes.count == 8, Array(bytes[..<5]) == name, bytes[6] == UInt8(ascii: "."), bytes[5].isASCIIDigit,
            bytes[7].isASCIIDigit
        else { throw HTTP1DecodeError("The start line names no HTTP version.") }
        switch (bytes[5], bytes[7]) {
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): self = .http11
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): self = .http10
        default:
            throw HTTP1DecodeError(
                status: 505, code: .versionNotSupported, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
        }
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
