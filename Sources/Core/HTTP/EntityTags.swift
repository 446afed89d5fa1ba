/// What `If-None-Match` lists (RFC 9110, section 13.1.2): tags that the client has already, or `*` for any.
package enum EntityTags: Hashable, Sendable {
    case any
    case listed(Set<String>)

    /// `nil` when the field is not there. Throws `invalid_request` when it is no list of entity tags, so that a client which
    /// forgets the quotes is told, and does not ask in a circle.
    package init?(of fields: HTTPFields) throws(Problem) {
        let lines = fields.values("if-none-match")
        guard !lines.isEmpty else { return nil }
        var tags: Set<String> = []
        var hasAny = false
        for line in lines {
            var scanner = FieldValueScanner(line)
            repeat {
                scanner.skipWhiteSpace()
                if scanner.take("*") {
                    hasAny = true
                } else if let tag = Self.tag(&scanner) {
                    tags.insert(tag)
                }
                scanner.skipWhiteSpace()
            } while scanner.take(",")
            guard scanner.isAtEnd else { throw Self.unreadable }
        }
        guard hasAny != !tags.isEmpty else { throw Self.unreadable }
        self = hasAny ? .any : .listed(tags)
    }

    /// The opaque part, without quotes. `W/` makes no difference here: the comparison is the weak one.
    private static func tag(_ scanner: inout FieldValueScanner) -> String? {
        if scanner.take("W") { guard scanner.take("/") else { return nil } }
        return scanner.opaqueTag()
    }

    /// `tag`: without quotes.
    package func match(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains(tag)
        }
    }

    private static let unreadable = Problem(
        .invalidRequest, "If-None-Match takes entity tags in double quotes, or `*` alone.")
}
