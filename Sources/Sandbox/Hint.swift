import Core

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
    /// The items in the order in which the card shows them: the same host first, then a parent or child of it, then a
    /// title that matches, then the same kind, then the rest as they are stored.
    func ordered(_ items: [SampleItem]) -> [SampleItem] {
        let wanted = url.flatMap(Hint.host)
        return items.enumerated()
            .sorted { left, right in
                let (first, second) = (rank(left.element, wanted), rank(right.element, wanted))
                return first == second ? left.offset < right.offset : first < second
            }
            .map(\.element)
    }

    /// Lower is better.
    private func rank(_ item: SampleItem, _ wanted: String?) -> Int {
        if let wanted, let host = item.url.flatMap(Hint.host) {
            if host == wanted { return 0 }
            if host.hasSuffix(".\(wanted)") || wanted.hasSuffix(".\(host)") { return 1 }
        }
        if let title, !title.isEmpty, item.title.lowercased().contains(title.lowercased()) { return 2 }
        return kind == item.kind ? 3 : 4
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
