import Core

extension Wire {
    /// The body that makes a request. [D] `op`, `hint` with `url` and `kind`, `reason`, `kind`, `item_id`, `fields`;
    /// [A] `vault_id`, `hint.title`, `prefill` and its members.
    static func createBody(_ call: Call, reason: String?) -> [UInt8] {
        var members: [JSON.Member] = [.init("op", .string(call.op.rawValue))]
        if let vaultID = call.vaultID { members.append(.init("vault_id", .string(vaultID))) }
        if let itemID = call.itemID { members.append(.init("item_id", .string(itemID))) }
        if let kind = call.kind { members.append(.init("kind", .string(kind))) }
        if !call.hint.isEmpty { members.append(.init("hint", hint(call.hint))) }
        if !call.prefill.isEmpty { members.append(.init("prefill", prefill(call.prefill))) }
        if let patch = call.patch { members.append(.init("fields", .array(patch.names.map(JSON.string)))) }
        if let reason { members.append(.init("reason", .string(reason))) }
        return JSON.object(members).encoded()
    }

    private static func hint(_ hint: Hint) -> JSON {
        texts(("url", hint.url), ("title", hint.title), ("kind", hint.kind))
    }

    private static func prefill(_ prefill: Prefill) -> JSON {
        texts(("title", prefill.title), ("url", prefill.url), ("username_hint", prefill.usernameHint))
    }

    private static func texts(_ members: (String, String?)...) -> JSON {
        .object(members.compactMap { name, value in value.map { .init(name, .string($0)) } })
    }

    /// [A] An empty object cancels.
    static let cancelBody: [UInt8] = Array("{}".utf8)

    /// [ours] What counts when a request comes without a readable `expires_at`: no wait is for ever.
    static let usualPatience = Duration.seconds(600)
    /// [D] A draft waits for its patch so long.
    static let draftLife = Duration.seconds(60)
    /// [ours] A later `expires_at` counts as this much from now.
    static let longestPatience = Duration.seconds(86_400)

    /// The answer to create, get and cancel [A], also wrapped as `{"request":{…}}` [A]. Throws `malformed_response`.
    static func snapshot(_ body: [UInt8], now: UnixTime) throws(Problem) -> RequestSnapshot {
        var root = try document(body)
        if let wrapped = root["request"], wrapped.kind == .object { root = wrapped }
        guard let id = root["id"]?.string, isIdentifier(id), let status = root["status"]?.string,
            let state = AskState(rawValue: status), state != .failed
        else { throw malformed }
        let box = root["result_enc"]?.string
        return RequestSnapshot(
            id: id, state: state, expiresAt: deadline(root["expires_at"], now: now),
            openURL: root["open_url"]?.string.flatMap { isOpenURL($0) ? $0 : nil },
            denyReason: root["deny_reason"]?.string.flatMap { isErrorCode($0) ? $0 : nil },
            sealedResult: box?.isEmpty == false ? box : nil, updatedItem: updatedItem(root["updated_item"]),
            isSavedOutOfScope: root["saved_out_of_scope"]?.bool ?? false)
    }

    /// [D] the member, [A] what is in it. `nil` when it is not of that form.
    private static func updatedItem(_ value: JSONValue?) -> UpdatedItem? {
        guard let id = value?["item_id"]?.string, isIdentifier(id), let revision = value?["revision"]?.integer else {
            return nil
        }
        return UpdatedItem(itemID: id, revision: revision)
    }

    private static func deadline(_ value: JSONValue?, now: UnixTime) -> UnixTime? {
        guard let value, let deadline = time(value) else { return nil }
        return min(deadline, now + longestPatience)
    }

    /// [ours] At most 2048 visible ASCII characters with the scheme `mimikey`, and no fragment; others are not opened.
    static func isOpenURL(_ text: String) -> Bool {
        text.utf8.count <= 2048 && text.lowercased().hasPrefix("mimikey://")
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }

    /// The deep link of a request with our `state`. [A] `open_url` may be absent: then `request_id` and `client_id`
    /// make one. [D] the client appends its `state`, so a URL that has one already is not taken.
    static func openURL(_ given: String?, requestID: String, clientID: String, state: String) -> String {
        var appended = QueryString()
        appended.append(Callback.state, state)
        if let given, isOpenURL(given), !hasState(given) {
            return given + (given.contains("?") ? "&" : "?") + appended.encoded
        }
        var query = QueryString()
        query.append("request_id", requestID)
        query.append("client_id", clientID)
        query.append(Callback.state, state)
        return "mimikey://request?" + query.encoded
    }

    private static func hasState(_ url: String) -> Bool {
        guard let mark = url.firstIndex(of: "?") else { return false }
        let query = QueryString(parsing: String(url[url.index(after: mark)...]))
        return query.map { $0.count(Callback.state) > 0 } ?? true
    }
}
