import Core
import Strongbox
import Testing

@testable import Sandbox

struct TokenEndpointTests {
    private static let json: HTTPFields = [HTTPField("content-type", "application/json")]

    @Test func `a code is exchanged for a grant`() throws {
        let scene = Scene()
        let reply = scene.exchange(try #require(try scene.consent()["code"]))
        #expect(reply.summary == "200")
        #expect(reply.text("token_type") == "Bearer")
        #expect(reply.integer("expires_in") == 3600)
        #expect(reply.text("approval_key_fingerprint") == SHA256.hex(scene.approvalKey.publicKey))
        guard case .array(let vaults) = reply["vaults"] else {
            Issue.record("no vaults")
            return
        }
        #expect((1...32).contains(vaults.count))
    }

    @Test(
        arguments: [
            (HTTPFields(), "{}", 415), ([HTTPField("content-type", "text/json")], "{}", 415),
            ([HTTPField("content-type", "application/x-www-form-urlencoded")], "grant_type=x", 415),
            (json, "", 400), (json, "{", 400), (json, "{\"grant_type\":1,\"grant_type\":2}", 400), (json, "[]", 422),
            (json, "{}", 422), (json, "{\"grant_type\":\"refresh_token\"}", 422),
            (json, "{\"client_id\":\"pmc_sandbox\"}", 422), (json, "{\"grant_type\":1,\"client_id\":\"x\"}", 422),
            (json, "{\"grant_type\":\"refresh_token\",\"client_id\":\"x\",\"refresh_token\":7}", 422),
        ] as [(HTTPFields, String, Int)])
    func `what has not the fixed structure is refused in plain text`(fields: HTTPFields, body: String, status: Int) {
        let scene = Scene()
        let reply = scene.send(.post, "/api/oauth/token", body: Array(body.utf8), fields: fields)
        #expect(reply.summary == "\(status) plain")
    }

    @Test func `a content type with parameters and in another case is JSON`() {
        let scene = Scene()
        let reply = scene.send(
            .post, "/api/oauth/token", body: Array("{}".utf8),
            fields: [HTTPField("content-type", "Application/JSON ; charset=utf-8")])
        #expect(reply.summary == "422 plain")
    }

    @Test func `a code works once`() throws {
        let scene = Scene()
        let code = try #require(try scene.consent()["code"])
        #expect(scene.exchange(code).summary == "200")
        #expect(scene.exchange(code).summary == "400 invalid_code")
    }

    @Test func `a code lives 10 minutes`() throws {
        let scene = Scene()
        let first = try #require(try scene.consent()["code"])
        let second = try #require(try scene.consent()["code"])
        scene.pass(.seconds(600))
        #expect(scene.exchange(first).summary == "200")
        scene.pass(.milliseconds(1))
        #expect(scene.exchange(second).summary == "400 code_expired")
    }

    @Test func `a failed PKCE check spends the code`() throws {
        let scene = Scene()
        let code = try #require(try scene.consent()["code"])
        let other = String(repeating: "v", count: 43)
        #expect(scene.exchange(code, changing: ["code_verifier": .string(other)]).summary == "400 invalid_grant")
        #expect(scene.exchange(code).summary == "400 invalid_code")
    }

    @Test func `a missing verifier fails the PKCE check`() throws {
        let scene = Scene()
        let code = try #require(try scene.consent()["code"])
        #expect(scene.exchange(code, changing: ["code_verifier": .some(nil)]).summary == "400 invalid_grant")
        #expect(scene.exchange(code).summary == "400 invalid_code")
    }

    @Test(arguments: [
        "http://127.0.0.1:7447/callback/", "http://127.0.0.1:7447/Callback", "http://localhost:7447/callback",
        "http://127.0.0.1:7447/callback?x=1", "",
    ])
    func `the redirect URL must be the same, and a wrong one spends nothing`(redirectURI: String) throws {
        let scene = Scene()
        let code = try #require(try scene.consent()["code"])
        let wrong = scene.exchange(code, changing: ["redirect_uri": .string(redirectURI)])
        #expect(wrong.summary == "400 redirect_uri_mismatch")
        #expect(scene.exchange(code, changing: ["redirect_uri": .some(nil)]).summary == "400 redirect_uri_mismatch")
        #expect(scene.exchange(code).summary == "200")
    }

    @Test func `a code belongs to its client`() throws {
        let scene = Scene()
        scene.world.clients["pmc_other"] = Client(
            id: "pmc_other", kind: .public, redirectURIs: [scene.redirectURI])
        let code = try #require(try scene.consent()["code"])
        let foreign = scene.exchange(code, changing: ["client_id": "pmc_other"])
        #expect(foreign.summary == "400 code_client_mismatch")
    }

    @Test func `unknown codes, grant types and clients have their codes`() throws {
        let scene = Scene()
        #expect(scene.exchange("nope").summary == "400 invalid_code")
        #expect(scene.exchange("nope", changing: ["code": .some(nil)]).summary == "400 invalid_code")
        #expect(
            scene.exchange("nope", changing: ["grant_type": "password"]).summary == "400 unsupported_grant_type")
        #expect(scene.exchange("nope", changing: ["client_id": "pmc_no"]).summary == "401 invalid_client_secret")
        #expect(scene.exchange("nope", changing: ["client_secret": "s"]).summary == "400 invalid_client")
        scene.world.clients["pmc_sandbox"]?.standing = .disabledByPlatform
        #expect(scene.exchange("nope").summary == "403 client_disabled")
    }

    @Test func `a confidential client must send its secret`() throws {
        let scene = Scene()
        scene.world.clients["pmc_sandbox"] = Client(
            id: "pmc_sandbox", kind: .confidential(secret: "made-up"), redirectURIs: [scene.redirectURI])
        let code = try #require(try scene.consent()["code"])
        #expect(scene.exchange(code).summary == "401 invalid_client_secret")
        #expect(scene.exchange(code, changing: ["client_secret": "other"]).summary == "401 invalid_client_secret")
        #expect(scene.exchange(code, changing: ["client_secret": "made-up"]).summary == "200")
    }
}
