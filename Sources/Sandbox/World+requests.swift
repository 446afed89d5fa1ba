import Core

/// `/api/oauth/requests…`.
extension World {
    mutating func createRequest(_ call: APICall, by grant: Grant, at now: UnixTime) throws(Refusal) -> JSON {
        let body = try call.signedBody()
        guard let name = try body.text("op", orRefuse: .invalidInput) else { throw .invalidInput }
        let reason = try body.text("reason", orRefuse: .invalidInput)
        let operation: CardRequest.Operation
        switch name {
        case "pick_item": operation = try pick(body, by: grant)
        case "get_item": operation = try get(body, by: grant)
        default: throw .invalidOperation
        }
        settle(grant.id, at: now)
        guard let current = grants[grant.id], current.unfinished.count < Wire.unfinishedRequests else {
            throw .tooManyRequests
        }
        let request = CardRequest(
            id: newID("rq_"), grantID: grant.id, operation: operation, reason: reason, createdAt: now,
            expiresAt: (now + requestLifetime).seconds, state: firstState(of: operation, in: grant))
        requests.insert(request, for: request.id)
        grants.update(grant.id) { $0.unfinished.append(request.id) }
        stats.requestsCreated += 1
        return request.json
    }

    mutating func showRequest(_ id: String, to grant: Grant, at now: UnixTime) throws(Refusal) -> JSON {
        try ownRequest(id, of: grant, at: now).json
    }

    mutating func cancelRequest(
        _ id: String, _ call: APICall, by grant: Grant, at now: UnixTime
    ) throws(Refusal) -> JSON {
        if !call.body.isEmpty { _ = try call.signedBody() }
        guard !(try ownRequest(id, of: grant, at: now)).state.isFinal else { throw .requestNotPending }
        finish(id, .cancelled)
        return try ownRequest(id, of: grant, at: now).json
    }

    /// Patches belong to drafts, and no operation that is carried out here makes one.
    mutating func uploadPatch(
        _ id: String, _ call: APICall, by grant: Grant, at now: UnixTime
    ) throws(Refusal) -> JSON {
        _ = try call.signedBody()
        _ = try ownRequest(id, of: grant, at: now)
        throw .requestNotDraft
    }

    private func pick(_ body: JSONValue, by grant: Grant) throws(Refusal) -> CardRequest.Operation {
        let vaultID = try body.text("vault_id", orRefuse: .invalidInput)
        var hint = Hint()
        if let value = body["hint"], !value.isNull {
            guard value.kind == .object else { throw .invalidInput }
            hint = Hint(value)
        }
        if let vaultID {
            guard grant.vault(vaultID) != nil else { throw .vaultNotGranted }
        } else if grant.vaults.isEmpty {
            throw .vaultNotGranted
        }
        return .pick(vaultID: vaultID, hint: hint)
    }

    private func get(_ body: JSONValue, by grant: Grant) throws(Refusal) -> CardRequest.Operation {
        guard let itemID = try body.text("item_id", orRefuse: .invalidInput) else { throw .itemIDRequired }
        guard let vaultID = try body.text("vault_id", orRefuse: .invalidInput), grant.vault(vaultID) != nil else {
            throw .vaultNotGranted
        }
        guard items.contains(where: { $0.id == itemID && $0.vaultID == vaultID }) else { throw .invalidInput }
        return .get(vaultID: vaultID, itemID: itemID)
    }

    private func firstState(of operation: CardRequest.Operation, in grant: Grant) -> CardRequest.State {
        switch operation {
        case .pick: .pending
        case .get(let vaultID, _): grant.vault(vaultID)?.policy == .trust ? .approved : .pending
        }
    }

    /// The request as it is now; `request_not_found` also for another grant's.
    private mutating func ownRequest(
        _ id: String, of grant: Grant, at now: UnixTime
    ) throws(Refusal) -> CardRequest {
        settle(grant.id, at: now)
        guard let request = requests[id], request.grantID == grant.id else { throw .requestNotFound }
        return request
    }
}
