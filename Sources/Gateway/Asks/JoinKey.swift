import Core

/// What makes two asks one wish: the same caller, operation, vault and hint. Not the reason, and not what is wanted.
struct JoinKey: Hashable, Sendable {
    private let caller: CallerName
    private let op: Operation
    private let vaultID: String?
    private let url: String?
    private let title: String?
    private let kind: String?

    init(_ call: Call) {
        caller = call.caller
        op = call.op
        vaultID = call.vaultID
        url = call.hint.url.map(Self.normalised)
        title = call.hint.title.map(Self.normalisedTitle)
        kind = call.hint.kind
    }

    /// Host in lower case, port and path; without scheme, query, fragment and closing slash.
    private static func normalised(_ url: String) -> String {
        var rest = Substring(url)
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        while rest.last == "/" { rest = rest.dropLast() }
        let authority = rest.prefix { $0 != "/" }
        return authority.lowercased() + rest[authority.endIndex...]
    }

    private static func normalisedTitle(_ title: String) -> String {
        title.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
