import Core
import Strongbox

/// `POST /api/oauth/token`.
extension World {
    mutating func token(_ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let body = try call.structuredBody()
        guard let grantType = try body.text("grant_type", orRefuse: .wrongStructure),
            let clientID = try body.text("client_id", orRefuse: .wrongStructure)
        else { throw .wrongStructure }
        let secret = try body.text("client_secret", orRefuse: .wrongStructure)
        let members = try TokenMembers(body)
        switch grantType {
        case "authorization_code":
            stats.authorizationCodeExchanges += 1
            return try exchange(members, by: try client(clientID, secret: secret), at: now)
        case "refresh_token":
            stats.refreshes += 1
            return try refresh(members.refreshToken, by: try client(clientID, secret: secret), at: now)
        default: throw .unsupportedGrantType
        }
    }

    /// The client that proves itself so. One that does not exist is told nothing else.
    private func client(_ id: String, secret: String?) throws(Refusal) -> Client {
        guard let client = clients[id] else { throw .invalidClientSecret }
        try client.check(secret: secret)
        switch client.standing {
        case .active: return client
        case .disabledByPlatform, .disabledByDeveloper: throw .clientDisabled
        }
    }

    /// A code is spent by success and by a failed PKCE check, and by nothing else.
    private mutating func exchange(
        _ members: TokenMembers, by client: Client, at now: UnixTime
    ) throws(Refusal) -> JSON {
        guard let key = members.code, let code = codes[key], !code.isSpent else { throw .invalidCode }
        guard now - code.issuedAt <= Wire.codeLifetime else { throw .codeExpired }
        guard code.link.clientID == client.id else { throw .codeClientMismatch }
        guard members.redirectURI == code.link.redirectURI else { throw .redirectURIMismatch }
        codes.update(key) { $0.isSpent = true }
        if let verifier = members.codeVerifier { remember(verifier: verifier) }
        if let challenge = code.link.codeChallenge {
            guard let verifier = members.codeVerifier, PKCE.challenge(for: Array(verifier.utf8)) == challenge else {
                throw .invalidGrant
            }
        }
        let grant = Grant(
            id: newID("gr_"), clientID: client.id, redirectURI: code.link.redirectURI,
            approvalKey: code.link.approvalKey, sealKey: code.link.sealKey, vaults: code.vaults,
            accountID: code.accountID)
        grants.insert(grant, for: grant.id)
        nonces.insert(NonceMemory(), for: grant.id)
        return issueTokens(for: grant, at: now)
    }

    /// Rotates. A token that was rotated before ends the whole grant.
    private mutating func refresh(
        _ key: String?, by client: Client, at now: UnixTime
    ) throws(Refusal) -> JSON {
        guard let key, let token = refreshTokens[key], let grant = grants[token.grantID], grant.clientID == client.id
        else { throw .invalidRefreshToken }
        guard now - token.issuedAt <= Wire.refreshLifetime else { throw .refreshExpired }
        guard !token.isRotated else {
            revokeGrant(grant.id)
            stats.reuses += 1
            throw .refreshTokenReused
        }
        guard !grant.isRevoked else { throw .grantRevoked }
        refreshTokens.update(key) { $0.isRotated = true }
        return issueTokens(for: grant, at: now)
    }

    private mutating func issueTokens(for grant: Grant, at now: UnixTime) -> JSON {
        var lifetime = accessTokenLifetime
        if turn.strikes(.shortLife) {
            stats.struck(.shortLife)
            lifetime = min(lifetime, Wire.shortLife)
        }
        let access = newToken("pma_sandbox_")
        let refresh = newToken("pmr_sandbox_")
        accessTokens.insert(AccessToken(grantID: grant.id, expiresAt: now + lifetime), for: access)
        refreshTokens.insert(RefreshToken(grantID: grant.id, issuedAt: now), for: refresh)
        return [
            "access_token": .string(access), "token_type": "Bearer",
            "expires_in": .integer(lifetime.components.seconds), "refresh_token": .string(refresh),
            "grant_id": .string(grant.id),
            "approval_key_fingerprint": .string(Wire.fingerprint(ofApprovalKey: grant.approvalKey)),
            "vaults": .array(grant.vaults.map(\.json)),
        ]
    }
}

/// The members that only one of the grant types needs; absent ones have codes of their own.
private struct TokenMembers {
    let code: String?
    let redirectURI: String?
    let codeVerifier: String?
    let refreshToken: String?

    init(_ body: JSONValue) throws(Refusal) {
        code = try body.text("code", orRefuse: .wrongStructure)
        redirectURI = try body.text("redirect_uri", orRefuse: .wrongStructure)
        codeVerifier = try body.text("code_verifier", orRefuse: .wrongStructure)
        refreshToken = try body.text("refresh_token", orRefuse: .wrongStructure)
    }
}
