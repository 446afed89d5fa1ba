import Core

/// What a client fills in on the card of a new item. It never sends a password.
struct Prefill: Hashable, Sendable {
    let title: String?
    let url: String?
    let usernameHint: String?

    /// Members that are no text are ignored.
    init(_ value: JSONValue) {
        title = value["title"]?.string
        url = value["url"]?.string
        usernameHint = value["username_hint"]?.string
    }

    init(title: String? = nil, url: String? = nil, usernameHint: String? = nil) {
        self.title = title
        self.url = url
        self.usernameHint = usernameHint
    }

    /// Two creations for one host in one vault are one.
    var host: String? { url.flatMap(Hint.host) }

    var json: JSON {
        let members = [("title", title), ("url", url), ("username_hint", usernameHint)]
        return .object(members.compactMap { name, value in value.map { .init(name, .string($0)) } })
    }

    /// What the person saves: the rest is made up.
    func item(id: String, vaultID: String, kind: String, made word: String) -> SampleItem {
        var item = SampleItem(
            id: id, vaultID: vaultID, kind: kind, revision: 1, title: title ?? host ?? "A new item", url: url,
            username: usernameHint)
        switch kind {
        case "login": item.password = "sandbox-made-up-\(word)"
        case "card": item.extra = [("card_number", "0000 0000 0000 0000")]
        case "identity": item.extra = [("full_name", "Sam Sandbox")]
        case "api_key": item.extra = [("api_key", "sandbox-made-up-\(word)")]
        case "ssh_key": item.extra = [("private_key", "sandbox: made up \(word)")]
        default: item.notes = "Made up by the sandbox."
        }
        return item
    }
}
