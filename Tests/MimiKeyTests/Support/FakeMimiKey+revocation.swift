import Core
import Strongbox
import Synchronization

extension FakeMimiKey {
    /// A public client sends none, a confidential one the right one.
    func checkSecret(_ body: JSONValue) -> InboundResponse? {
        let expected = state.withLock { $0.clientSecret }
        switch (expected, body["client_secret"]?.string) {
        case (nil, nil): return nil
        case (nil, _?): return Self.error(400, "invalid_client")
        case (let secret?, let sent): return secret == sent ? nil : Self.error(401, "invalid_client_secret")
        }
    }

    func revoke(_ request: OutboundRequest) -> InboundResponse {
        guard let body = try? JSONDocument(request.body).root, body["client_id"]?.string == "pmc_test",
            let token = body["token"]?.string
        else { return Self.error(400, "invalid_input") }
        if let refusal = checkSecret(body) { return refusal }
        let now = now
        return state.withLock { state in
            let isLive = !state.isRevoked && (token == state.refresh || state.access[token].map { now < $0 } == true)
            guard isLive else { return Self.json(["ok": true]) }
            if state.clientSecret == nil {
                let names: [HTTPFieldName] = ["x-pm-timestamp", "x-pm-nonce", "x-pm-signature"]
                let values = names.compactMap { request.fields.text($0) }
                guard values.count == 3 else { return Self.error(401, "signature_required") }
                if abs((Int64(values[0]) ?? 0) - now.seconds) > 300 {
                    return Self.error(401, "timestamp_out_of_window")
                }
                let canonical = ["POST", request.target, values[0], values[1], SHA256.hex(request.body)]
                    .joined(separator: "\n")
                guard let signature = Base64URL.decode(values[2]),
                    Ed25519.verify(signature: signature, of: Array(canonical.utf8), publicKey: state.approvalKey)
                else { return Self.error(401, "signature_invalid") }
                if !state.nonces.insert(values[1]).inserted { return Self.error(401, "nonce_replayed") }
            }
            state.isRevoked = true
            return Self.json(["ok": true])
        }
    }
}
