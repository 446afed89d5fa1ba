/// Scheme, host and port of a service that is called (RFC 6454).
package struct Origin: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable {
        case http
        case https
    }

    package let scheme: Scheme
    /// In lower case; an IPv6 literal without its brackets.
    package let host: String
    package let port: UInt16

    package init(scheme: Scheme, host: String, port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }
}

extension Origin: CustomStringConvertible {
    /// `https://mimikey.example` or `http://127.0.0.1:7448`; a single trailing `/` is dropped. `nil` for user info, a path,
    /// a query, a fragment or another scheme.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(decoding: bytes[..<colon].map(\.asciiLowercased), as: UTF8.self)
        guard let scheme = Scheme(rawValue: scheme) else { return nil }
        var rest = bytes[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        rest = rest.dropFirst(2)
        if rest.last == UInt8(ascii: "/") { rest.removeLast() }
        guard let authority = Authority(rest), authority.port != 0 else { return nil }
        self.init(scheme: scheme, host: authority.host, port: authority.port ?? scheme.defaultPort)
    }

    /// The default port is left out; IPv6 literals are bracketed.
    package var description: String { "\(scheme.rawValue)://\(authority)" }

    /// The value of the `Host` field.
    package var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == scheme.defaultPort ? host : "\(host):\(port)"
    }

    /// The host is an IP literal of the loopback range (names such as `localhost` do not count).
    package var isLoopbackLiteral: Bool { IPAddress(host)?.isLoopback ?? false }
}

extension Origin.Scheme {
    package var defaultPort: UInt16 {
        switch self {
        case .http: 80
        case .https: 443
        }
    }
}
