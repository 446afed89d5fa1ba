import Core
import Domains

/// What a client says about the item that it wants.
struct Hint: Hashable, Sendable {
    let url: String?
    let title: String?
    let kind: String?

    /// Members that are no text are ignored.
    init(_ value: JSONValue) {
        url = value["url"]?.string
        title = value["title"]?.string
        kind = value["kind"]?.string
    }

    init(url: String? = nil, title: String? = nil, kind: String? = nil) {
        self.url = url
        self.title = title
        self.kind = kind
    }

    var json: JSON {
        let members = [("url", url), ("title", title), ("kind", kind)]
        return .object(members.compactMap { name, value in value.map { .init(name, .string($0)) } })
    }
}

extension Hint {
    /// The items in the order in which the card shows them: those of the same registrable domain first (of these the same
    /// host, then its parents and children), then those whose title matches, then those of the same kind, then the rest
    /// as they are stored.
    func ordered(_ items: [SampleItem]) -> [SampleItem] {
        let wanted = url.flatMap(Hint.host).map(Site.init)
        let ranked = items.enumerated().map { (offset: $0.offset, item: $0.element, rank: rank($0.element, wanted)) }
        return ranked.sorted { left, right in
            left.rank == right.rank ? left.offset < right.offset : left.rank.lexicographicallyPrecedes(right.rank)
        }
        .map(\.item)
    }

    /// A host, and what was registered for it.
    private struct Site {
        let host: String
        let domain: RegistrableDomain?

        init(_ host: String) {
            self.host = host
            domain = RegistrableDomain(of: host)
        }
    }

    /// Lower is better: domain, title, kind.
    private func rank(_ item: SampleItem, _ wanted: Site?) -> [Int] {
        let hasTitle = title.map { !$0.isEmpty && item.title.lowercased().contains($0.lowercased()) } ?? false
        return [nearness(item, wanted), hasTitle ? 0 : 1, kind == item.kind ? 0 : 1]
    }

    private func nearness(_ item: SampleItem, _ wanted: Site?) -> Int {
        guard let wanted, let site = item.url.flatMap(Hint.host).map(Site.init) else { return 3 }
        if site.host == wanted.host { return 0 }
        guard let domain = wanted.domain, site.domain == domain else { return 3 }
        return site.host.hasSuffix(".\(wanted.host)") || wanted.host.hasSuffix(".\(site.host)") ? 1 : 2
    }

    /// The host of a URL, or of a bare host, in lower case, without user info and port; `nil` when there is none.
    static func host(_ url: String) -> String? {
        var rest = Substring(url.lowercased())
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        if !rest.hasPrefix("[") { rest = rest.prefix { $0 != ":" } }
        return rest.isEmpty ? nil : String(rest)
    }
}

extension Substring {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
