/// A host name as it is compared: lower case, no trailing dot, an IPv6 literal without brackets.
package struct HostName: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// `nil` for what is no host name or IP literal.
    package init?(_ text: String) { fatalError() }

    /// The host of an `http` or `https` URL, or of a bare `host[:port][/path]`; `nil` when there is none.
    package init?(ofURL text: String) { fatalError() }

    package var description: String { rawValue }
}

/// `bank.example.com` (also covers its `www.`) or `*.shop.example` (one label or more before it).
package struct HostPattern: Hashable, Sendable {
    /// `nil` when it is no such pattern.
    package init?(_ text: String) { fatalError() }

    package func matches(_ host: HostName) -> Bool { fatalError() }
}
