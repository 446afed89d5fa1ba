extension RequestHead {
    /// May the connection be used again after the answer? HTTP/1.1 unless `Connection: close`; HTTP/1.0 only with
    /// `Connection: keep-alive` (RFC 9112, section 9.3).
    package var keepsAlive: Bool { fields.keepsAlive(version) }

    /// The peer waits for `100 Continue` before it sends the body. HTTP/1.0 peers never do.
    package var expectsContinue: Bool { version == .http11 && fields.contains(.expect) }
}

extension ResponseHead {
    /// May the connection be used again after this answer?
    package var keepsAlive: Bool { fields.keepsAlive(version) }
}

extension HTTPFields {
    fileprivate func keepsAlive(_ version: HTTPVersion) -> Bool {
        if lists("close", in: .connection) { return false }
        switch version {
        case .http11: return true
        case .http10: return lists("keep-alive", in: .connection)
        }
    }

    /// Is the token, in lower case, one of the comma-separated members of the field? Compared without case.
    package func lists(_ token: StaticString, in name: HTTPFieldName) -> Bool {
        let token = Array(token.description.utf8)
        return values(name).contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { member in
                member.filter { $0 != .space && $0 != .tab }.map(\.asciiLowercased) == token
            }
        }
    }
}
