import Core
import Strongbox
import Synchronization
import Testing

extension FakeMimiKey {
    /// The person consents: the callback that comes of a deep link.
    func consent(to url: String, code: String = "code_1") throws -> QueryString {
        let query = try #require(QueryString(parsing: String(url.dropFirst("mimikey://authorize?".count))))
        let approval = try #require(query.value("approval_key").flatMap { Base64URL.decode($0) })
        let seal = try #require(query.value("seal_key").flatMap { Base64URL.decode($0) })
        let challenge = try #require(query.value("code_challenge"))
        let state = try #require(query.value("state"))
        set { $0.codes[code] = (challenge, approval, seal) }
        var callback = QueryString()
        callback.append("code", code)
        callback.append("state", state)
        return callback
    }

    func token(_ request: OutboundRequest) async -> InboundResponse {
        guard request.fields.text("content-type") == "application/json",
            let body = try? JSONDocument(request.body).root, body["client_id"]?.string == "pmc_test"
        else { return InboundResponse(status: 422, body: Array("missing field".utf8)) }
        if let refusal = checkSecret(body) { return refusal }
        switch body["grant_type"]?.string {
        case "authorization_code": return exchange(body)
        case "refresh_token":
            let hook = state.withLock { $0.onRefresh }
            await hook?()
            return refresh(body)
        default: return Self.error(400, "unsupported_grant_type")
        }
    }

    private func exchange(_ body: JSONValue) -> InboundResponse {
        let now = now
        return state.withLock { state in
            guard let code = body["code"]?.string, let held = state.codes.removeValue(forKey: code) else {
                return Self.error(400, "invalid_code")
            }
            guard body["redirect_uri"]?.string == "http://127.0.0.1:7447/callback" else {
                return Self.error(400, "redirect_uri_mismatch")
            }
            guard let verifier = body["code_verifier"]?.string,
                PKCE.challenge(for: Array(verifier.utf8)) == held.challenge
            else { return Self.error(400, "invalid_grant") }
            state.approvalKey = held.approval
            state.sealKey = held.seal
            state.isRevoked = false
            state.access = [:]
            return Self.tokens(&state, now: now, exchange: true)
        }
    }

    private func refresh(_ body: JSONValue) -> InboundResponse {
        let now = now
        return state.withLock { state in
            guard let token = body["refresh_token"]?.string else { return Self.error(401, "invalid_refresh_token") }
            if state.spentRefresh.contains(token) {
                state.isRevoked = true
                return Self.error(401, "refresh_token_reused")
            }
            guard token == state.refresh else { return Self.error(401, "invalid_refresh_token") }
            if state.isRevoked { return Self.error(401, "grant_revoked") }
            return Self.tokens(&state, now: now, exchange: false)
        }
    }

    private static func tokens(_ state: inout State, now: UnixTime, exchange: Bool) -> InboundResponse {
        state.count += 1
        let access = "at_\(state.count)"
        if !state.keepsRefreshToken || state.refresh == nil {
            if let old = state.refresh, !exchange { state.spentRefresh.insert(old) }
            state.refresh = "rt_\(state.count)"
        }
        state.access[access] = now + state.validity
        var members: [JSON.Member] = [
            .init("surprise", ["nested": [1, 2, 3]]), .init("access_token", .string(access)),
            .init("token_type", "Bearer"), .init("grant_id", .string(state.grantID)),
            .init("approval_key_fingerprint", .string(state.fingerprint ?? SHA256.hex(state.approvalKey))),
        ]
        if let lifetime = state.lifetime { members.append(.init("expires_in", lifetime)) }
        if !state.omitsRefreshToken || exchange { members.append(.init("refresh_token", .text(state.refresh))) }
        if let vaults = state.vaults { members.append(.init("vaults", vaults)) }
        return json(.object(members))
    }
}
