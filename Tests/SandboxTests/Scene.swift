import Core
import Strongbox
import TestSupport
import Testing

@testable import Sandbox

/// A world, its clock, and one client that speaks to it: what it sends is put together here, byte by byte, not by the
/// code under test.
final class Scene {
    let clock = ManualClock()
    var world: World
    let approvalKey = ApprovalKey()
    let sealKey = SealKey()
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    let redirectURI = "http://127.0.0.1:7447/callback"
    var access = ""
    var refresh = ""
    var grantID = ""
    private var nonces = 0

    var now: UnixTime { clock.wall }
    func pass(_ duration: Duration) { clock.advance(by: duration) }

    init(_ person: PersonScript = .manual, accessTokenLifetime: Duration = .seconds(3600)) {
        var options = SandboxOptions(listen: TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0), person: person)
        options.accessTokenLifetime = accessTokenLifetime
        world = World(options)
    }

    /// With a grant already, whatever the person does afterwards.
    static func granted(_ person: PersonScript = .manual) throws -> Scene {
        let scene = Scene()
        try scene.authorize()
        scene.world.setPerson(person, at: scene.now)
        return scene
    }

    func authorize() throws {
        let code = try #require(try consent()["code"])
        keep(exchange(code))
        #expect(grantID.hasPrefix("gr_"))
    }

    func keep(_ reply: Reply) {
        access = reply.text("access_token") ?? ""
        refresh = reply.text("refresh_token") ?? ""
        grantID = reply.text("grant_id") ?? ""
    }

    // MARK: The phone

    func link(
        clientID: String = "pmc_sandbox", redirectURI: String? = nil, state: String = "st-1",
        challenge: String? = nil, method: String = "S256", approval: [UInt8]? = nil, seal: [UInt8]? = nil
    ) -> String {
        var query = QueryString()
        query.append("client_id", clientID)
        query.append("redirect_uri", redirectURI ?? self.redirectURI)
        query.append("state", state)
        query.append("code_challenge", challenge ?? self.challenge)
        query.append("code_challenge_method", method)
        query.append("approval_key", Base64URL.encode(approval ?? approvalKey.publicKey))
        query.append("seal_key", Base64URL.encode(seal ?? sealKey.publicKey))
        return "mimikey://authorize?" + query.encoded
    }

    /// The members of the callback; empty when there is none.
    func open(_ url: String) throws -> [String: String] {
        guard let callback = try world.open(url, at: clock.wall) else { return [:] }
        let parts = callback.split(separator: "?", maxSplits: 1)
        let query = try #require(QueryString(parsing: String(parts[1])))
        var members = ["": String(parts[0])]
        for (name, value) in query.pairs { members[name] = value }
        return members
    }

    func consent() throws -> [String: String] { try open(link()) }

    // MARK: The token endpoint

    func token(_ members: [String: JSON]) -> Reply {
        let body = JSON.object(members.map { .init($0.key, $0.value) })
        return send(
            .post, "/api/oauth/token", body: body.encoded(), fields: [HTTPField("content-type", "application/json")])
    }

    func exchange(_ code: String, changing changes: [String: JSON?] = [:]) -> Reply {
        var members: [String: JSON] = [
            "grant_type": "authorization_code", "client_id": "pmc_sandbox", "code": .string(code),
            "redirect_uri": .string(redirectURI), "code_verifier": .string(verifier),
        ]
        for (name, value) in changes { members[name] = value }
        return token(members)
    }

    func rotate(_ refreshToken: String? = nil) -> Reply {
        token([
            "grant_type": "refresh_token", "client_id": "pmc_sandbox",
            "refresh_token": .string(refreshToken ?? refresh),
        ])
    }

    // MARK: Signed calls

    func nonce() -> String {
        nonces += 1
        return "nonce-\(100_000 + nonces)"
    }

    func signed(
        _ method: HTTPMethod, _ path: String, _ body: [UInt8] = [], offset: Int64 = 0, nonce: String? = nil,
        token: String? = nil, with key: ApprovalKey? = nil
    ) -> APICall {
        let timestamp = String(clock.wall.seconds + offset)
        let nonce = nonce ?? self.nonce()
        let canonical = "\(method)\n\(path)\n\(timestamp)\n\(nonce)\n\(SHA256.hex(body))"
        let signature = (key ?? approvalKey).sign(Array(canonical.utf8))
        var fields: HTTPFields = [
            HTTPField("x-pm-timestamp", timestamp), HTTPField("x-pm-nonce", nonce),
            HTTPField("x-pm-signature", Base64URL.encode(signature)),
        ]
        if let bearer = token ?? (access.isEmpty ? nil : access) {
            fields.append("authorization", "Bearer \(bearer)")
        }
        return APICall(method: method, path: path, fields: fields, body: body)
    }

    func call(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) -> Reply {
        send(signed(method, path, body?.encoded() ?? []))
    }

    func send(_ call: APICall) -> Reply { world.answer(call, at: clock.wall) }

    func send(_ method: HTTPMethod, _ path: String, body: [UInt8] = [], fields: HTTPFields = HTTPFields()) -> Reply {
        send(APICall(method: method, path: path, fields: fields, body: body))
    }

    // MARK: Requests

    func pick(_ more: [JSON.Member] = []) -> Reply {
        call(.post, "/api/oauth/requests", .object([.init("op", "pick_item")] + more))
    }

    /// The id of a new one.
    func picked(_ more: [JSON.Member] = []) throws -> String { try #require(pick(more).text("id")) }

    func look(_ id: String) -> Reply { call(.get, "/api/oauth/requests/\(id)") }

    /// The id in the answer to a creation.
    func id(_ created: Reply) throws -> String { try #require(created.text("id")) }

    /// The item that a request, completed by now, brought.
    func item(of created: Reply) throws -> JSONValue {
        let item = try opened(look(try id(created)))["item"]
        return try #require(item)
    }

    /// The plaintext of a completed request, opened as the client would.
    func opened(_ reply: Reply) throws -> JSONValue {
        let box = try #require(reply.text("result_enc").flatMap { Base64URL.decode($0) })
        let id = try #require(reply.text("id"))
        let body = try sealKey.open(
            box, info: Array("mimikey/v3/result".utf8), aad: Array("\(grantID)\n\(id)".utf8))
        let bytes = body.withBytes { span in
            span.byteOffsets.map { span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
        return try JSONDocument(bytes).root
    }

    func control(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) -> Reply {
        world.control(APICall(method: method, path: path, body: body?.encoded() ?? []), at: clock.wall)
    }
}

extension Reply {
    /// A member of the answer.
    subscript(name: String) -> JSON? {
        guard case .json(.object(let members)) = body else { return nil }
        return members.first { $0.name == name }?.value
    }

    func text(_ name: String) -> String? {
        if case .string(let text) = self[name] { text } else { nil }
    }

    func integer(_ name: String) -> Int64? {
        if case .integer(let number) = self[name] { number } else { nil }
    }

    /// Such as `401 token_expired`, or `413 plain`, or `200`.
    var summary: String {
        switch body {
        case .text, .html: "\(status) plain"
        case .json: text("error").map { "\(status) \($0)" } ?? "\(status)"
        }
    }
}
