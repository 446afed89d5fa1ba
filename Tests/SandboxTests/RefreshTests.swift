import Core
import Testing

@testable import Sandbox

struct RefreshTests {
    @Test func `a refresh rotates, and the access token made before survives`() throws {
        let scene = try Scene.granted()
        let (access, refresh) = (scene.access, scene.refresh)
        scene.keep(scene.rotate())
        #expect(scene.access != access)
        #expect(scene.refresh != refresh)
        #expect(scene.send(scene.signed(.get, "/api/oauth/vaults", token: access)).summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "200")
    }

    @Test func `a rotated token presented again ends the whole grant`() throws {
        let scene = try Scene.granted()
        let old = scene.refresh
        scene.keep(scene.rotate())
        #expect(scene.rotate(old).summary == "401 refresh_token_reused")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "401 grant_revoked")
        #expect(scene.rotate().summary == "401 grant_revoked")
    }

    @Test func `unused for more than 30 days it has expired`() throws {
        let scene = try Scene.granted()
        scene.pass(.seconds(30 * 86_400))
        scene.keep(scene.rotate())
        #expect(scene.grantID.hasPrefix("gr_"))
        scene.pass(.seconds(30 * 86_400 + 1))
        #expect(scene.rotate().summary == "401 refresh_expired")
    }

    @Test func `missing, unknown and foreign ones are told alike`() throws {
        let scene = try Scene.granted()
        scene.world.clients["pmc_other"] = Client(id: "pmc_other", kind: .public, redirectURIs: [])
        let missing = scene.token(["grant_type": "refresh_token", "client_id": "pmc_sandbox"])
        let foreign = scene.token([
            "grant_type": "refresh_token", "client_id": "pmc_other", "refresh_token": .string(scene.refresh),
        ])
        #expect(missing.summary == "401 invalid_refresh_token")
        #expect(scene.rotate("nope").summary == "401 invalid_refresh_token")
        #expect(foreign.summary == "401 invalid_refresh_token")
    }
}

struct RevocationTests {
    private func revoke(_ scene: Scene, _ token: String, client: String = "pmc_sandbox") -> APICall {
        let body: JSON = ["client_id": .string(client), "token": .string(token)]
        var call = scene.signed(.post, "/api/oauth/revoke", body.encoded())
        call.fields.remove("authorization")
        return call
    }

    @Test(arguments: [true, false])
    func `either live token ends the grant, and its open cards`(refresh: Bool) throws {
        let scene = try Scene.granted()
        let id = try scene.picked()
        let reply = scene.send(revoke(scene, refresh ? scene.refresh : scene.access))
        #expect(reply == Reply(["ok": true]))
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "401 grant_revoked")
        #expect(scene.rotate().summary == "401 grant_revoked")
        #expect(scene.world.requests[id]?.state == .cancelled)
    }

    @Test func `a public client must sign`() throws {
        let scene = try Scene.granted()
        var call = revoke(scene, scene.refresh)
        call.fields = HTTPFields()
        #expect(scene.send(call).summary == "401 signature_required")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "200")
    }

    @Test func `what is not live is answered as if it had worked`() throws {
        let scene = try Scene.granted()
        let old = scene.refresh
        scene.keep(scene.rotate())
        #expect(scene.send(revoke(scene, "nope")) == Reply(["ok": true]))
        #expect(scene.send(revoke(scene, old)) == Reply(["ok": true]))
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "200")
        #expect(scene.send(revoke(scene, scene.refresh)) == Reply(["ok": true]))
        #expect(scene.send(revoke(scene, scene.refresh)) == Reply(["ok": true]))
    }

    @Test func `bad bodies and clients have their codes`() throws {
        let scene = try Scene.granted()
        #expect(scene.send(.post, "/api/oauth/revoke", body: Array("{".utf8)).summary == "400 invalid_input")
        #expect(scene.send(.post, "/api/oauth/revoke", body: Array("{}".utf8)).summary == "400 invalid_input")
        #expect(scene.send(revoke(scene, "nope", client: "pmc_no")).summary == "401 invalid_client_secret")
        let secret: JSON = ["client_id": "pmc_sandbox", "token": "x", "client_secret": "s"]
        #expect(scene.send(.post, "/api/oauth/revoke", body: secret.encoded()).summary == "400 invalid_client")
    }
}
