import Core
import Strongbox
import Testing

@testable import Sandbox

/// The sides that are not the client's: the person's apps, and the operator.
extension Scene {
    static let registration: JSON = [
        "name": "An app", "client_type": "public", "redirect_uris": ["https://app.example/callback"],
    ]

    func session(_ body: JSON = [:]) -> String {
        control(.post, "/_sandbox/sessions", body).text("session") ?? ""
    }

    func asUser(
        _ method: HTTPMethod, _ path: String, _ body: JSON? = nil, query: String? = nil, account: String? = nil,
        session given: String? = nil, origin: String? = nil
    ) -> Reply {
        let session = given ?? self.session(account.map { ["account": .string($0)] } ?? [:])
        var fields: HTTPFields = [
            HTTPField("x-sandbox-session", session), HTTPField("content-type", "application/json"),
            HTTPField("host", "127.0.0.1:7448"),
        ]
        if let origin { fields.append("origin", origin) }
        let call = APICall(method: method, path: path, query: query, fields: fields, body: body?.encoded() ?? [])
        return path.hasPrefix(World.controlPrefix) ? world.control(call, at: now) : send(call)
    }

    func asOperator(_ verb: String, _ client: String, _ body: JSON) -> Reply {
        let session = control(.post, "/_sandbox/operator/sessions").text("session") ?? ""
        return world.control(
            APICall(
                method: .post, path: "/_sandbox/operator/clients/\(client)/\(verb)",
                fields: [HTTPField("x-sandbox-operator", session)], body: body.encoded()), at: now)
    }

    /// The app's own consent, with the members of this scene's link.
    func consenting(_ changes: [String: JSON?]) -> Reply {
        var members: [String: JSON] = [
            "client_id": "pmc_sandbox", "redirect_uri": .string(redirectURI), "state": "st-1",
            "code_challenge": .string(challenge), "code_challenge_method": "S256",
            "approval_key": .string(Wire.text(approvalKey.publicKey)),
            "seal_key": .string(Wire.text(sealKey.publicKey)), "policy": "ask",
            "selections": [["vault_id": "v_personal", "mode": 1]],
        ]
        for (name, value) in changes { members[name] = value }
        return asUser(.post, "/api/oauth/authorize", .object(members.map { .init($0.key, $0.value) }))
    }

    func code() throws -> String {
        let members = try consent()
        return try #require(members["code"])
    }

    /// The id of a read that waits for the person.
    func read() throws -> String {
        try id(
            call(
                .post, "/api/oauth/requests",
                ["op": "get_item", "item_id": "it_bank", "vault_id": "v_personal"]))
    }
}
