import Core

/// `POST /api/oauth/revoke`, and how a grant ends.
extension World {
    /// Either live token ends the whole grant. What is not live is answered as if it had worked.
    mutating func revoke(_ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let body = try call.signedBody()
        guard let clientID = try body.text("client_id", orRefuse: .invalidInput),
            let token = try body.text("token", orRefuse: .invalidInput)
        else { throw .invalidInput }
        let secret = try body.text("client_secret", orRefuse: .invalidInput)
        guard let client = clients[clientID] else { throw .invalidClientSecret }
        try client.check(secret: secret)
        guard let grant = liveGrant(of: token, at: now), grant.clientID == client.id else { return ["ok": true] }
        switch client.kind {
        case .public: try checkSignature(of: call, grant: grant, at: now)
        case .confidential: break
        }
        revokeGrant(grant.id)
        stats.grantsRevoked += 1
        return ["ok": true]
    }

    private func liveGrant(of token: String, at now: UnixTime) -> Grant? {
        let grantID: String
        if let access = accessTokens[token], now < access.expiresAt {
            grantID = access.grantID
        } else if let refresh = refreshTokens[token], !refresh.isRotated,
            now - refresh.issuedAt <= Wire.refreshLifetime
        {
            grantID = refresh.grantID
        } else {
            return nil
        }
        guard let grant = grants[grantID], !grant.isRevoked else { return nil }
        return grant
    }

    /// Its tokens die with it, and its open cards are taken off the phone.
    mutating func revokeGrant(_ id: String) {
        guard let grant = grants[id] else { return }
        for requestID in grant.unfinished { requests.update(requestID) { $0.state = .cancelled } }
        grants.update(id) {
            $0.isRevoked = true
            $0.unfinished = []
        }
    }
}
