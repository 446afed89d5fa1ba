import Core

extension World {
    /// The grant that a signed call belongs to, after every check in the protocol's order: token, expiry, grant, client,
    /// then the signature and last its nonce.
    mutating func grant(signing call: APICall, at now: UnixTime) throws(Refusal) -> Grant {
        guard let bearer = World.bearer(call.fields), let token = accessTokens[bearer],
            let grant = grants[token.grantID]
        else { throw .invalidToken }
        guard now < token.expiresAt else { throw .tokenExpired }
        guard !grant.isRevoked else { throw .grantRevoked }
        switch clients[grant.clientID]?.standing {
        case .active?: break
        case .disabledByPlatform?, nil: throw .clientDisabledByPlatform
        case .disabledByDeveloper?: throw .clientDisabled
        }
        try checkSignature(of: call, grant: grant, at: now)
        return grant
    }

    /// Signature, then nonce.
    mutating func checkSignature(of call: APICall, grant: Grant, at now: UnixTime) throws(Refusal) {
        let nonce = try SignatureCheck.nonce(of: call, approvalKey: grant.approvalKey, at: now)
        var isFresh = false
        nonces.update(grant.id) { isFresh = $0.burn(nonce) }
        guard isFresh else { throw .nonceReplayed }
    }

    /// The token of `Authorization: Bearer …`, when there is exactly one such field.
    private static func bearer(_ fields: HTTPFields) -> String? {
        guard let text = fields.text("authorization") else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }
}
