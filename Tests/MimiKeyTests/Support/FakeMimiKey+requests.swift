import Core
import Strongbox
import Synchronization

extension FakeMimiKey {
    /// The checks of a signed call, in the server's order; `nil` when it may be carried out.
    func check(_ request: OutboundRequest) async -> InboundResponse? {
        let now = now
        let hook = state.withLock { $0.onSigned }
        let bearer = request.fields.text("authorization") ?? ""
        await hook?(String(bearer.dropFirst("Bearer ".count)))
        return state.withLock { state in
            guard bearer.hasPrefix("Bearer "), let expiry = state.access[String(bearer.dropFirst(7))] else {
                return Self.error(401, "invalid_token")
            }
            if now >= expiry { return Self.error(401, "token_expired") }
            if state.isRevoked { return Self.error(401, "grant_revoked") }
            guard let stamp = request.fields.text("x-pm-timestamp"), let nonce = request.fields.text("x-pm-nonce"),
                let signature = request.fields.text("x-pm-signature")
            else { return Self.error(401, "signature_required") }
            guard let seconds = Int64(stamp), (8...128).contains(nonce.utf8.count),
                let bytes = Base64URL.decode(signature)
            else { return Self.error(401, "signature_invalid") }
            if abs(seconds - now.seconds) > 300 { return Self.error(401, "timestamp_out_of_window") }
            let path = request.target.split(separator: "?", omittingEmptySubsequences: false)[0]
            let canonical = [request.method.name, String(path), stamp, nonce, SHA256.hex(request.body)]
                .joined(separator: "\n")
            guard
                Ed25519.verify(signature: bytes, of: Array(canonical.utf8), publicKey: state.approvalKey)
            else { return Self.error(401, "signature_invalid") }
            if !state.nonces.insert(nonce).inserted { return Self.error(401, "nonce_replayed") }
            return nil
        }
    }

    func carryOut(_ request: OutboundRequest) -> InboundResponse {
        let now = now
        let parts = request.target.split(separator: "/").dropFirst(2)
        return state.withLock { state in
            switch (request.method, parts.first, parts.count) {
            case (.get, "account", 1): return Self.account(state)
            case (.get, "vaults", 1): return Self.json(.object([.init("vaults", state.vaults ?? .null)]))
            case (.post, "requests", 1): return Self.make(request, in: &state, at: now)
            default: break
            }
            let id = parts.dropFirst().first.map(String.init) ?? ""
            guard var found = state.requests[id] else { return Self.error(404, "request_not_found") }
            if found.status == "draft", now >= found.expiresAt { found.status = "expired" }
            switch parts.last {
            case "cancel":
                guard ["draft", "pending"].contains(found.status) else { return Self.error(409, "request_not_pending") }
                found.status = "cancelled"
            case "patch":
                guard found.status == "draft" else { return Self.error(409, "request_not_draft") }
                guard let patch = (try? JSONDocument(request.body))?.root["patch_enc"]?.string,
                    patch.utf8.count <= 65_536
                else { return Self.error(400, "invalid_patch") }
                found.patch = patch
                found.status = "pending"
                found.expiresAt = now + .seconds(600)
            default: break
            }
            state.requests[id] = found
            return Self.shown(found, wrapped: state.wrapsRequests)
        }
    }

    private static func make(_ request: OutboundRequest, in state: inout State, at now: UnixTime) -> InboundResponse {
        let id = "rq_\(state.requests.count + 1)"
        let text = String(decoding: request.body, as: UTF8.self)
        let body = (try? JSONDocument(request.body))?.root
        switch body?["op"]?.string {
        case "pick_item": state.requests[id] = Request(id: id, body: text, expiresAt: now + .seconds(600))
        case "update_item":
            guard body?["item_id"]?.string != nil else { return error(400, "item_id_required") }
            guard body?["patch_enc"] == nil else { return error(400, "invalid_input") }
            guard let fields = body?["fields"]?.elements, !fields.isEmpty else { return error(400, "fields_required") }
            state.requests[id] = Request(id: id, body: text, status: "draft", expiresAt: now + .seconds(60))
        default: return error(400, "invalid_op")
        }
        return shown(state.requests[id], wrapped: state.wrapsRequests)
    }

    private static func account(_ state: State) -> InboundResponse {
        json(
            .object([
                .init("account_id", "acc_1"), .init("grant_id", .string(state.grantID)),
                .init(
                    "identity_public_key",
                    state.shownIdentity ?? .string(Base64URL.encode(state.identity.publicKey))),
                .init("vaults", state.vaults ?? .null),
            ]))
    }

    /// What the device would read of the patch that came for a request.
    func openedPatch(of id: String) -> String? {
        state.withLock { state in
            guard let box = state.requests[id]?.patch.flatMap({ Base64URL.decode($0) }) else { return nil }
            return try? state.identity.open(
                box, info: Array("mimikey/v3/patch".utf8), aad: Array("\(state.grantID)\n\(id)".utf8)
            ).text
        }
    }

    /// Requests that show a card, or have shown one.
    var cards: Int { state.withLock { $0.requests.values.count { $0.patch != nil } } }

    private static func shown(_ request: Request?, wrapped: Bool) -> InboundResponse {
        guard let request else { return error(404, "request_not_found") }
        var members: [JSON.Member] = [
            .init("id", .string(request.id)), .init("op", "pick_item"), .init("status", .string(request.status)),
            .init("expires_at", .integer(request.expiresAt.seconds)), .init("unheard_of", nil),
            .init("open_url", .string("mimikey://request?request_id=\(request.id)")),
        ]
        if let result = request.result { members.append(.init("result_enc", .string(result))) }
        if let reason = request.denyReason { members.append(.init("deny_reason", .string(reason))) }
        return json(wrapped ? .object([.init("request", .object(members))]) : .object(members))
    }

    /// The person picks an item: it is sealed to the grant's key.
    func approve(_ id: String, plaintext: String = FakeMimiKey.login) {
        state.withLock { state in
            let box = try? SealedBox.seal(
                Array(plaintext.utf8), to: state.sealKey, info: Array("mimikey/v3/result".utf8),
                aad: Array("\(state.grantID)\n\(id)".utf8))
            state.requests[id]?.status = "completed"
            state.requests[id]?.result = box.map(Base64URL.encode)
        }
    }

    func end(_ id: String, _ status: String, denyReason: String? = nil) {
        state.withLock {
            $0.requests[id]?.status = status
            $0.requests[id]?.denyReason = denyReason
        }
    }

    static let login = """
        {"item":{"id":"it_1","vault_id":"v_1","revision":7,"kind":"login","record":{"title":"Bank",\
        "url":"https://bank.example.com","username":"me","password":"hunter2","extra":{"pin":"1234"}}}}
        """
}
