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
            if request.method == .post, parts.count == 1 {
                guard (try? JSONDocument(request.body))?.root["op"]?.string == "pick_item" else {
                    return Self.error(400, "invalid_op")
                }
                let id = "rq_\(state.requests.count + 1)"
                state.requests[id] = Request(
                    id: id, body: String(decoding: request.body, as: UTF8.self), expiresAt: now + .seconds(600))
                return Self.shown(state.requests[id], wrapped: state.wrapsRequests)
            }
            let id = parts.dropFirst().first.map(String.init) ?? ""
            guard state.requests[id] != nil else { return Self.error(404, "request_not_found") }
            if parts.last == "cancel" {
                guard state.requests[id]?.status == "pending" else { return Self.error(409, "request_not_pending") }
                state.requests[id]?.status = "cancelled"
            }
            return Self.shown(state.requests[id], wrapped: state.wrapsRequests)
        }
    }

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
