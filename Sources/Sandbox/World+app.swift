import Core

/// What the MimiKey apps do for the one who is signed in, under `/_sandbox/app/`: the documents name the errors of these
/// calls and not their paths.
extension World {
    /// `parts`: the path behind `app/`.
    mutating func decideApp(_ parts: [Substring], _ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let accountID = try signedIn(call, at: now)
        switch (call.method, parts.first, parts.count) {
        case (.get, "grants", 1):
            let own = grants.keys.compactMap { grants[$0] }.filter { $0.accountID == accountID }
            return [
                "grants": .array(
                    own.map {
                        [
                            "id": .string($0.id), "client_id": .string($0.clientID), "revoked": .bool($0.isRevoked),
                            "vaults": .array($0.vaults.map(\.json)),
                        ]
                    })
            ]
        case (.delete, "grants", 2):
            guard let grant = grants[String(parts[1])], grant.accountID == accountID else { throw .grantNotFound }
            revokeGrant(grant.id)
            return ["ok": true]
        case (.post, "requests", 3):
            let request = try ownRequest(String(parts[1]), of: accountID, at: now)
            switch parts[2] {
            case "approve": try allow(request)
            case "deny": try tap(.deny(reason: nil), on: request.id, at: now)
            default: throw .notFound
            }
            return ["id": .string(request.id), "state": .text(requests[request.id]?.state.name)]
        case (.put, "requests", 3) where parts[2] == "result":
            return try uploadResult(to: try ownRequest(String(parts[1]), of: accountID, at: now), call)
        default: throw .notFound
        }
    }

    private mutating func ownRequest(
        _ id: String, of accountID: String, at now: UnixTime
    ) throws(Refusal) -> CardRequest {
        if let grantID = requests[id]?.grantID { settle(grantID, at: now) }
        guard let request = requests[id], grants[request.grantID]?.accountID == accountID else {
            throw .requestNotFound
        }
        return request
    }

    /// Only a read has a step of its own for that: the other cards bring what they bring when they are tapped.
    private mutating func allow(_ request: CardRequest) throws(Refusal) {
        guard case .get = request.operation, request.state == .pending else { throw .requestNotPending }
        requests.update(request.id) { $0.state = .approved }
    }

    /// `{"result_enc"}`, as the device sealed it: whatever it is.
    private mutating func uploadResult(to request: CardRequest, _ call: APICall) throws(Refusal) -> JSON {
        guard let box = try call.signedBody().text("result_enc", orRefuse: .invalidInput) else { throw .invalidInput }
        switch (request.operation, request.state) {
        case (_, .completed), (_, .denied), (_, .cancelled), (_, .expired), (_, .draft): throw .requestNotPending
        case (.get, .pending): throw .requestNotApproved
        case (.get, .approved), (.pick, _), (.create, _): break
        case (.update, _): throw .invalidInput
        }
        finish(request.id, .completed(.result(box)))
        return ["id": .string(request.id), "state": "completed"]
    }
}
