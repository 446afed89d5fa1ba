import Core

/// `/api/oauth/requests…`.
extension World {
    mutating func createRequest(_ call: APICall, by grant: Grant, at now: UnixTime) throws(Refusal) -> JSON {
        let body = try call.signedBody()
        guard let name = try body.text("op", orRefuse: .invalidInput) else { throw .invalidInput }
        let reason = try body.text("reason", orRefuse: .invalidInput)
        let operation = try self.operation(name, body, by: grant)
        settle(grant.id, at: now)
        guard let current = grants[grant.id] else { throw .requestNotFound }
        if let same = sameCreation(as: operation, in: current) { return same.json }
        guard current.unfinished.count < Wire.unfinishedRequests else { throw .tooManyRequests }
        let state = firstState(of: operation, in: grant)
        let lifetime = state == .draft ? Wire.draftLifetime : requestLifetime
        var request = CardRequest(
            id: newID("rq_"), grantID: grant.id, operation: operation, reason: reason, at: now,
            expiresAt: (now + lifetime).seconds, state: state)
        if turn.strikes(.replicaLag) {
            stats.struck(.replicaLag)
            request.visibleFrom = now + turn.lag
        }
        if turn.strikes(.vanish) {
            stats.struck(.vanish)
            request.deleted = .requestNotFound
        }
        requests.insert(request, for: request.id)
        grants.update(grant.id) { $0.unfinished.append(request.id) }
        stats.requestsCreated += 1
        return request.json
    }

    mutating func showRequest(_ id: String, to grant: Grant, at now: UnixTime) throws(Refusal) -> JSON {
        if requests[id] != nil { stats.polled(id, at: now) }
        return try ownRequest(id, of: grant, at: now).json
    }

    mutating func cancelRequest(
        _ id: String, _ call: APICall, by grant: Grant, at now: UnixTime
    ) throws(Refusal) -> JSON {
        if !call.body.isEmpty { _ = try call.signedBody() }
        guard !(try ownRequest(id, of: grant, at: now)).state.isFinal else { throw .requestNotPending }
        finish(id, .cancelled)
        stats.requestsCancelled += 1
        return try ownRequest(id, of: grant, at: now).json
    }

    /// Whether it is a draft is looked at before the patch is.
    mutating func uploadPatch(
        _ id: String, _ call: APICall, by grant: Grant, at now: UnixTime
    ) throws(Refusal) -> JSON {
        let body = try call.signedBody()
        guard try ownRequest(id, of: grant, at: now).state == .draft else { throw .requestNotDraft }
        guard let text = body["patch_enc"]?.string, text.utf8.count <= Wire.patchLimit, let box = Wire.box(text) else {
            throw .invalidPatch
        }
        let expiresAt = (now + requestLifetime).seconds
        stats.patchesUploaded += 1
        requests.update(id) {
            $0.patch = box
            $0.state = .pending
            $0.pendingSince = now
            $0.expiresAt = expiresAt
        }
        return try ownRequest(id, of: grant, at: now).json
    }

    /// A card for a new item on the same host, in the same vault, is not made twice.
    private func sameCreation(as operation: CardRequest.Operation, in grant: Grant) -> CardRequest? {
        guard case .create(let vaultID, _, let prefill) = operation, let host = prefill.host else { return nil }
        return grant.unfinished.lazy.compactMap { requests[$0] }.first { request in
            guard case .create(vaultID, _, let other) = request.operation else { return false }
            return other.host == host
        }
    }

    private func firstState(of operation: CardRequest.Operation, in grant: Grant) -> CardRequest.State {
        switch operation {
        case .pick, .create: .pending
        case .get(let vaultID, _): grant.vault(vaultID)?.policy == .trust ? .approved : .pending
        case .update: .draft
        }
    }

    /// The request as it is now; `request_not_found` also for another grant's.
    private mutating func ownRequest(
        _ id: String, of grant: Grant, at now: UnixTime
    ) throws(Refusal) -> CardRequest {
        settle(grant.id, at: now)
        guard let request = requests[id], request.grantID == grant.id, request.visibleFrom <= now else {
            throw .requestNotFound
        }
        if let deleted = request.deleted { throw deleted }
        return request
    }
}
