/// `bank.example.com` (also covers its `www.`) or `*.shop.example` (one label or more before it).
package struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    private let host: HostName
    private let isWildcard: Bool

    /// `nil` when it is no such pattern: a star stands alone in the first label, before a name.
    package init?(_ text: String) {
        isWildcard = text.hasPrefix("*.")
        guard let host = HostName(isWildcard ? String(text.dropFirst(2)) : text) else { return nil }
        if isWildcard && !host.isName { return nil }
        self.host = host
    }

    package func matches(_ other: HostName) -> Bool {
        if isWildcard { return other.isName && other.rawValue.hasSuffix("." + host.rawValue) }
        return other == host || (host.isName && other.rawValue == "www." + host.rawValue)
    }

    /// As it is written in a rule.
    package var description: String { isWildcard ? "*.\(host)" : host.rawValue }
}
