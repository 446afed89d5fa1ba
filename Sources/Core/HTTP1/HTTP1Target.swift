/// A request target as it was sent (RFC 9112, section 3.2): what is handed on, and the authority that an absolute-form
/// target named. That one must equal `Host`, which is known only at the end of the head.
struct HTTP1Target: Hashable, Sendable {
    let target: RequestTarget
    let authority: Authority?

    /// Each form is accepted only with the methods that RFC 9112 gives it to.
    init(_ bytes: [UInt8], method: HTTPMethod) throws(HTTP1DecodeError) {
        if method == .connect {
            guard let authority = Authority(bytes), authority.port != nil else {
                throw HTTP1DecodeError("CONNECT takes a host and a port.")
            }
            target = .authority(authority.description)
            self.authority = nil
        } else if bytes == [UInt8(ascii: "*")] {
            guard method == .options else { throw HTTP1DecodeError("The target * belongs to OPTIONS alone.") }
            target = .asterisk
            authority = nil
        } else if bytes.first == UInt8(ascii: "/") {
            target = try Self.origin(bytes[...])
            authority = nil
        } else {
            (target, authority) = try Self.absolute(bytes, method: method)
        }
    }

    /// `http://authority/path?query`; the scheme compares without case.
    private static func absolute(
        _ bytes: [UInt8], method: HTTPMethod
    ) throws(HTTP1DecodeError) -> (RequestTarget, Authority) {
        let scheme = Array("http://".utf8)
        guard bytes.prefix(scheme.count).map(\.asciiLowercased) == scheme else {
            throw HTTP1DecodeError("The target is neither a path nor a URL of the scheme http.")
        }
        let rest = bytes[scheme.count...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard let authority = Authority(rest[..<end]) else {
            throw HTTP1DecodeError("The target's host is of the wrong form.")
        }
        if end == rest.endIndex, method == .options { return (.asterisk, authority) }
        let path = rest[end...].first == UInt8(ascii: "/") ? rest[end...] : [UInt8(ascii: "/")] + rest[end...]
        return (try origin(path), authority)
    }

    /// Path and query, checked byte by byte and not decoded.
    private static func origin(_ bytes: ArraySlice<UInt8>) throws(HTTP1DecodeError) -> RequestTarget {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            guard byte.isVisible, byte != UInt8(ascii: "#"), byte != UInt8(ascii: "\\") else {
                throw HTTP1DecodeError("The target holds a character that may not stand there.")
            }
            index += 1
            guard byte == UInt8(ascii: "%") else { continue }
            guard bytes.endIndex - index >= 2, let high = bytes[index].hexDigitValue,
                let low = bytes[index + 1].hexDigitValue
            else { throw HTTP1DecodeError("The target holds a broken percent escape.") }
            guard high | low != 0 else { throw HTTP1DecodeError("The target holds an escaped NUL.") }
            index += 2
        }
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else {
            return .origin(path: String(decoding: bytes, as: UTF8.self), query: nil)
        }
        return .origin(
            path: String(decoding: bytes[..<mark], as: UTF8.self),
            query: String(decoding: bytes[(mark + 1)...], as: UTF8.self))
    }
}
