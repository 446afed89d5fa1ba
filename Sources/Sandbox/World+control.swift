import Core
import Strongbox

/// The control door, `/_sandbox/…`: what tests and the demo hold the strings with. No token, no signature.
extension World {
    static let controlPrefix = "/_sandbox/"

    mutating func control(_ call: APICall, at now: UnixTime) -> Reply {
        let now = now + .seconds(clockOffset)
        do throws(Refusal) {
            if let page = try phonePage(call, at: now) { return page }
            return Reply(try decideControl(call, at: now))
        } catch {
            return Reply(error)
        }
    }

    private mutating func decideControl(_ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let parts = call.path.dropFirst(World.controlPrefix.count).split(
            separator: "/", omittingEmptySubsequences: false)
        switch (call.method, parts.first, parts.count) {
        case (.get, "stats", 1): return stats.json
        case (.get, "secrets", 1): return secrets(at: now)
        case (.get, "requests", 1):
            settleAll(at: now)
            return ["requests": .array(requests.keys.compactMap { requests[$0]?.controlJSON })]
        case (.post, "open", 1):
            guard let url = try call.signedBody().text("url", orRefuse: .invalidInput) else { throw .invalidInput }
            return ["callback": .text(try open(url, at: now))]
        case (.post, "person", 1):
            guard let text = try call.signedBody().text("script", orRefuse: .invalidInput),
                let script = PersonScript(text)
            else { throw .invalidInput }
            setPerson(script, at: now)
            return ["ok": true]
        case (.post, "faults", 1):
            guard faults.count < Fault.limit else { throw .tooManyRequests }
            faults.append(try Fault(try call.signedBody()))
            return ["ok": true]
        case (.get, "manners", 1): return manners.json
        case (.post, "manners", 1): return try changeManners(try call.signedBody())
        case (.get, "shapes", 1): return shapes.json
        case (.post, "shapes", 1):
            try shapes.change(try call.signedBody())
            return shapes.json
        case (.post, "clock", 1):
            guard let offset = try call.signedBody()["offset_seconds"]?.integer,
                (-1_000_000_000...1_000_000_000).contains(offset)
            else { throw .invalidInput }
            clockOffset = offset
            return ["ok": true]
        case (.post, "items", 1): return ["id": .string(try addItem(try call.signedBody()))]
        case (.post, "identity-key", 2) where parts[1] == "rotate":
            identityKey = SealKey()
            return ["ok": true]
        case (.post, "access-tokens", 2) where parts[1] == "expire":
            accessTokens.updateAll { $0.expiresAt = min($0.expiresAt, now) }
            return ["ok": true]
        case (.post, "grants", 2) where parts[1] == "revoke":
            for id in Array(grants.keys) { revokeGrant(id) }
            return ["ok": true]
        case (.post, "clients", 1): return try putClient(try call.signedBody())
        case (.post, "clients", 3) where parts[2] == "disable":
            return try disable(String(parts[1]), by: call)
        case (.post, "sessions", 1):
            let token = newToken("pmu_sandbox_")
            sessions.insert(try makeSession(call, at: now), for: token)
            return ["session": .string(token)]
        case (.post, "sessions", 2) where parts[1] == "rotate":
            sessions.updateAll { $0.device = .revokedOrRotated }
            return ["ok": true]
        case (.post, "operator", 2) where parts[1] == "sessions":
            let token = newToken("pmo_sandbox_")
            operators.insert(try makeSession(call, at: now), for: token)
            return ["session": .string(token)]
        case (.post, "vaults", 1): return try changeVault(try call.signedBody())
        case (_, "app", 2...): return try decideApp(Array(parts.dropFirst()), call, at: now)
        case (_, "operator", 2...): return try decideOperator(Array(parts.dropFirst()), call, at: now)
        case (.post, "requests", 3):
            return try tap(String(parts[2]), on: String(parts[1]), call, at: now)
        default: throw .notFound
        }
    }

    private mutating func tap(
        _ verb: String, on id: String, _ call: APICall, at now: UnixTime
    ) throws(Refusal) -> JSON {
        let body = call.body.isEmpty ? nil : try call.signedBody()
        switch verb {
        case "approve":
            let itemID = try body?.text("item_id", orRefuse: .invalidInput)
            try tap(.approve(itemID: itemID, savesOutside: false), on: id, at: now)
        case "save_outside":
            guard case .create? = requests[id]?.operation else { throw .invalidInput }
            try tap(.approve(itemID: nil, savesOutside: true), on: id, at: now)
        case "deny":
            try tap(.deny(reason: try body?.text("deny_reason", orRefuse: .invalidInput)), on: id, at: now)
        case "conflict": try tap(.deny(reason: Wire.conflict), on: id, at: now)
        case "expire": try tap(.expire, on: id, at: now)
        case "delete": try delete(id, status: body?["status"]?.integer ?? 404)
        default: throw .notFound
        }
        return ["id": .string(id), "state": .text(requests[id]?.state.name)]
    }

    /// The service forgets a request: from now on it is `404` or `410`.
    private mutating func delete(_ id: String, status: Int64) throws(Refusal) {
        guard let request = requests[id] else { throw .requestNotFound }
        guard status == 404 || status == 410 else { throw .invalidInput }
        if !request.state.isFinal { finish(id, .cancelled) }
        requests.update(id) { $0.deleted = status == 404 ? .requestNotFound : .requestGone }
    }

    /// `{"vault_id","mode"?,"policy"?,"granted"?}`: of a vault in every grant that there is.
    private mutating func changeVault(_ body: JSONValue) throws(Refusal) -> JSON {
        guard let id = try body.text("vault_id", orRefuse: .invalidInput) else { throw .invalidInput }
        let policy = try body.text("policy", orRefuse: .invalidInput).map(SampleVault.Policy.init)
        if case .some(nil) = policy { throw .invalidInput }
        let isGranted = body["granted"]?.bool ?? true
        let mode = body["mode"]?.integer
        grants.updateAll { grant in
            guard isGranted else { return grant.vaults.removeAll { $0.id == id } }
            for index in grant.vaults.indices where grant.vaults[index].id == id {
                if let mode { grant.vaults[index].mode = mode }
                if let policy = policy ?? nil { grant.vaults[index].policy = policy }
            }
        }
        return ["ok": true]
    }

    /// `{"by":"platform"|"developer"}`; the developer when there is no body.
    private mutating func disable(_ id: String, by call: APICall) throws(Refusal) -> JSON {
        guard clients[id] != nil else { throw .clientNotFound }
        let body = call.body.isEmpty ? nil : try call.signedBody()
        switch try body?.text("by", orRefuse: .invalidInput) {
        case "platform": clients[id]?.standing = .disabledByPlatform
        case "developer", nil: clients[id]?.standing = .disabledByDeveloper
        case .some: throw .invalidInput
        }
        return ["ok": true]
    }
}
