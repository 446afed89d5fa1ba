import Core

/// The phone as a page, with the cards that can be tapped: `/_sandbox/phone`.
extension World {
    private static let path = "/_sandbox/phone"
    /// Cards on the page.
    private static let mostCards = 100

    /// `nil` for other paths.
    mutating func phonePage(_ call: APICall, at now: UnixTime) throws(Refusal) -> Reply? {
        if call.path == World.path, call.method == .get { return cards(at: now) }
        guard call.path.hasPrefix(World.path + "/"), call.method == .post else { return nil }
        let parts = call.path.dropFirst(World.path.count + 1).split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .notFound }
        try tapOnPage(String(parts[1]), on: String(parts[0]), call, at: now)
        var reply = Reply(status: 303, text: "tapped\n")
        reply.fields.append("location", World.path)
        return reply
    }

    private mutating func tapOnPage(
        _ verb: String, on id: String, _ call: APICall, at now: UnixTime
    ) throws(Refusal) {
        switch verb {
        case "approve":
            guard let form = QueryString(parsing: String(decoding: call.body, as: UTF8.self)) else {
                throw .invalidInput
            }
            let itemID = form.value("item_id").flatMap { $0.isEmpty ? nil : $0 }
            try tap(.approve(itemID: itemID, savesOutside: false), on: id, at: now)
        case "save_outside":
            guard case .create? = requests[id]?.operation else { throw .invalidInput }
            try tap(.approve(itemID: nil, savesOutside: true), on: id, at: now)
        case "deny": try tap(.deny(reason: nil), on: id, at: now)
        case "conflict": try tap(.deny(reason: Wire.conflict), on: id, at: now)
        default: throw .notFound
        }
    }

    private mutating func cards(at now: UnixTime) -> Reply {
        settleAll(at: now)
        let open = requests.keys.compactMap { requests[$0] }.filter { $0.state == .pending || $0.state == .approved }
        let shown = open.suffix(World.mostCards).reversed().compactMap { request in
            grants[request.grantID].map { card(request, $0) }
        }
        let none = "<p>No card waits. Ask for something, then look again.</p>"
        return HTML.page(
            "The sandbox's phone",
            "<p>A stand-in for MimiKey: nothing in here is real. <a href=\"\(World.path)\">Look again</a></p>\n"
                + (shown.isEmpty ? none : shown.joined(separator: "\n")))
    }

    private func card(_ request: CardRequest, _ grant: Grant) -> String {
        var rows: [(String, String?)] = [
            ("Who asks", clients[grant.clientID].map { "\($0.name) (\($0.id))" }), ("Why", request.reason),
        ]
        var taps: [(verb: String, label: String)] = []
        switch request.operation {
        case .pick(let vaultID, let hint):
            rows += [("Site", hint.url), ("Title", hint.title), ("Kind", hint.kind), ("Vault", vaultID)]
        case .get(let vaultID, let itemID): rows += [("Item", itemID), ("Vault", vaultID)]
        case .create(let vaultID, let kind, let prefill):
            rows += [
                ("Kind", kind), ("Title", prefill.title), ("Site", prefill.url), ("Name", prefill.usernameHint),
                ("Vault", vaultID),
            ]
            taps.append(("save_outside", "Save elsewhere"))
        case .update(let vaultID, let itemID, let fields):
            rows += [("Item", itemID), ("Vault", vaultID), ("Fields", fields.joined(separator: ", "))]
            taps.append(("conflict", "It changed elsewhere"))
        }
        if request.state == .pending { taps.append(("deny", "Deny")) }
        let list = rows.compactMap { name, value in
            value.map { "<dt>\(name)</dt><dd>\(HTML.escaped($0))</dd>" }
        }
        let others = taps.map { form(request.id, $0.verb, $0.label, "") }
        return """
            <section><h2>\(HTML.escaped(request.operation.name))</h2><dl>\(list.joined())</dl>
            \(form(request.id, "approve", "Approve", choice(request, grant)))
            \(others.joined(separator: "\n"))</section>
            """
    }

    private func choice(_ request: CardRequest, _ grant: Grant) -> String {
        guard case .pick = request.operation else { return "" }
        let options = candidates(for: request, in: grant).prefix(World.mostCards).map {
            "<option value=\"\(HTML.escaped($0.id))\">\(HTML.escaped($0.title))</option>"
        }
        return "<select name=\"item_id\">\(options.joined())</select> "
    }

    private func form(_ id: String, _ verb: String, _ label: String, _ fields: String) -> String {
        "<form method=\"post\" action=\"\(World.path)/\(id)/\(verb)\">\(fields)<button>\(label)</button></form>"
    }
}
