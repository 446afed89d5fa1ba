import Core

/// Where an app may return to. The rules page is not among the documents: `https`, `http` on a loopback literal, and for a
/// public client a scheme of its own.
enum RedirectRule {
    static let counts = 1...10

    static func permits(_ uri: String, to kind: Client.Kind) -> Bool {
        guard (1...2048).contains(uri.utf8.count), uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !uri.contains("#"), let colon = uri.firstIndex(of: ":")
        else { return false }
        let scheme = uri[..<colon]
        let rest = uri[uri.index(after: colon)...]
        switch scheme {
        case "https": return host(rest).map { !$0.isEmpty } ?? false
        case "http": return host(rest).flatMap { IPAddress(String($0)) }?.isLoopback ?? false
        case "javascript", "data", "file", "mimikey": return false
        default:
            guard case .public = kind else { return false }
            return isScheme(scheme) && !rest.isEmpty
        }
    }

    /// The host behind `//`, without brackets and port; `nil` when there is none, or somebody's name before it.
    private static func host(_ rest: Substring) -> Substring? {
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { return nil }
        if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" } }
        return authority.prefix { $0 != ":" }
    }

    private static func isScheme(_ scheme: Substring) -> Bool {
        guard let first = scheme.first, first.isLetter else { return false }
        return scheme.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
        }
    }
}
