/// Writes heads and chunks (RFC 9112). A field value with CR, LF or NUL is never written.
package enum HTTP1Encoder {
    /// `nil` when a field value holds CR, LF or NUL, the method is no token, or the target could not stand on a request
    /// line.
    package static func encode(_ head: RequestHead) -> [UInt8]? {
        let method = Array(head.method.name.utf8)
        let target = bytes(of: head.target)
        guard !method.isEmpty, method.allSatisfy(\.isTokenCharacter) else { return nil }
        guard !target.isEmpty, target.allSatisfy(\.isVisible) else { return nil }
        return encode(method + [.space] + target + [.space] + bytes(of: head.version), head.fields)
    }

    /// `nil` when a field value holds CR, LF or NUL, or the status does not have three digits.
    package static func encode(_ head: ResponseHead) -> [UInt8]? {
        guard (100..<1000).contains(head.status.code) else { return nil }
        let status = Array("\(head.status.code) \(head.status.reasonPhrase)".utf8)
        return encode(bytes(of: head.version) + [.space] + status, head.fields)
    }

    /// One chunk of a chunked body; `bytes` must not be empty.
    package static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        precondition(!bytes.isEmpty, "an empty chunk would end the body")
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [.carriageReturn, .lineFeed]
    }

    /// `0 CRLF CRLF`.
    package static let lastChunk: [UInt8] = Array("0\r\n\r\n".utf8)

    private static func encode(_ startLine: [UInt8], _ fields: HTTPFields) -> [UInt8]? {
        var encoded = startLine
        encoded.append(contentsOf: [.carriageReturn, .lineFeed])
        for field in fields.lines {
            guard !field.value.contains(where: { $0 == .carriageReturn || $0 == .lineFeed || $0 == 0 }) else {
                return nil
            }
            encoded.append(contentsOf: field.name.canonical.utf8)
            encoded.append(contentsOf: [UInt8(ascii: ":"), .space])
            encoded.append(contentsOf: field.value)
            encoded.append(contentsOf: [.carriageReturn, .lineFeed])
        }
        encoded.append(contentsOf: [.carriageReturn, .lineFeed])
        return encoded
    }

    private static func bytes(of version: HTTPVersion) -> [UInt8] {
        switch version {
        case .http11: Array("HTTP/1.1".utf8)
        case .http10: Array("HTTP/1.0".utf8)
        }
    }

    private static func bytes(of target: RequestTarget) -> [UInt8] {
        switch target {
        case .origin(let path, let query?): Array("\(path)?\(query)".utf8)
        case .origin(let path, nil): Array(path.utf8)
        case .authority(let authority): Array(authority.utf8)
        case .asterisk: [UInt8(ascii: "*")]
        }
    }
}
