import Core

/// An `http` or `https` URL, cut in two: whom to dial, and what stands on the request line.
struct WebAddress: Hashable, Sendable {
    let origin: Origin
    /// Starts with `/`.
    let target: String

    /// `nil` for what is no such URL. A fragment is refused.
    init?(_ text: String) {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix), !text.contains("#"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard let origin = Origin(scheme + authority) else { return nil }
        let rest = text.dropFirst(scheme.count + authority.count)
        self.origin = origin
        target = rest.hasPrefix("/") ? String(rest) : "/" + rest
    }
}
