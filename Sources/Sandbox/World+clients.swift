import Core

/// `POST /api/oauth/clients`, `DELETE /api/oauth/clients/{id}`: by a developer who is signed in.
extension World {
    private static let mostClients = 1000

    mutating func registerClient(_ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let body = try call.structuredBody()
        let registration = try ClientRegistration(body)
        let owner = try signedIn(call, at: now)
        guard clients.count < World.mostClients else { throw .tooManyRequests }
        let id = newID("pmc_")
        let secret = registration.isConfidential ? newToken("pms_sandbox_") : nil
        clients[id] = Client(
            id: id, kind: secret.map { .confidential(secret: $0) } ?? .public,
            redirectURIs: registration.redirectURIs, name: registration.name, ownerID: owner,
            sealKey: registration.sealKey)
        var members: [JSON.Member] = [
            .init("client_id", .string(id)),
            .init("client_type", registration.isConfidential ? "confidential" : "public"),
        ]
        if let secret { members.append(.init("client_secret", .string(secret))) }
        return .object(members)
    }

    mutating func disableOwnClient(_ id: String, _ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let owner = try signedIn(call, at: now)
        guard let client = clients[id], client.ownerID == owner, client.standing == .active else {
            throw .clientNotFound
        }
        clients[id]?.standing = .disabledByDeveloper
        return ["ok": true]
    }

    /// `{"client_id","client_secret"?,"redirect_uris"?}`: a client with names of the test's own, through the control door.
    mutating func putClient(_ body: JSONValue) throws(Refusal) -> JSON {
        guard let id = try body.text("client_id", orRefuse: .invalidInput), (1...100).contains(id.utf8.count),
            clients[id] != nil || clients.count < World.mostClients
        else { throw .invalidInput }
        let secret = try body.text("client_secret", orRefuse: .invalidInput)
        let uris = body["redirect_uris"]?.elements.compactMap(\.string) ?? clients[id]?.redirectURIs ?? []
        clients[id] = Client(
            id: id, kind: secret.map { .confidential(secret: $0) } ?? .public, redirectURIs: uris)
        return ["ok": true]
    }
}
