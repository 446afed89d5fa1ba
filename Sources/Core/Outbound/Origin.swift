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
    package init?(_ text: String) { fatalError() }

    /// The default port is left out; IPv6 literals are bracketed.
    package var description: String { fatalError() }

    /// The value of the `Host` field.
    package var authority: String { fatalError() }

    /// The host is an IP literal of the loopback range (names such as `localhost` do not count).
    package var isLoopbackLiteral: Bool { fatalError() }
}
