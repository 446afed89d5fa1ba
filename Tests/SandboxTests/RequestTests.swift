import Core
import Strongbox
import Testing

@testable import Sandbox

struct RequestTests {
    @Test func `a pick is pending, then completed with a box that opens`() throws {
        let scene = try Scene.granted(.approve(after: .seconds(2)))
        let created = scene.pick([.init("hint", ["url": "https://bank.example.com"]), .init("reason", "reconcile")])
        #expect(created.summary == "200")
        #expect(created.text("status") == "pending")
        #expect(created.text("op") == "pick_item")
        #expect(created.integer("created_at") == 1_780_000_000)
        #expect(created.integer("expires_at") == 1_780_000_600)
        let id = try #require(created.text("id"))
        #expect(created.text("open_url") == "mimikey://request?request_id=\(id)")
        scene.pass(.milliseconds(1999))
        #expect(scene.look(id).text("status") == "pending")
        scene.pass(.milliseconds(1))
        let done = scene.look(id)
        #expect(done.text("status") == "completed")
        let item = try #require(try scene.opened(done)["item"])
        #expect(item["id"]?.string == "it_bank")
        #expect(item["revision"]?.integer == 7)
        #expect(item["record"]?["username"]?.string == "sam@example.com")
        #expect(scene.look(id) == done)
    }

    @Test func `a box is bound to its request`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let first = scene.look(try scene.picked())
        let box = try #require(first.text("result_enc").flatMap { Base64URL.decode($0) })
        let other = try scene.picked()
        #expect(throws: BoxNotOpened.self) {
            _ = try scene.sealKey.open(
                box, info: Array("mimikey/v3/result".utf8), aad: Array("\(scene.grantID)\n\(other)".utf8))
        }
    }

    @Test func `creating never finishes at once, however quick the person is`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let created = scene.pick()
        #expect(created.text("status") == "pending")
        #expect(scene.look(try #require(created.text("id"))).text("status") == "completed")
    }

    @Test func `a denied and an expired pick are told apart`() throws {
        let scene = try Scene.granted(.deny(after: .seconds(1)))
        let denied = try scene.picked()
        scene.pass(.seconds(1))
        #expect(scene.look(denied).text("status") == "denied")
        scene.world.setPerson(.expire, at: scene.now)
        let expired = try scene.picked()
        scene.pass(.seconds(599))
        #expect(scene.look(expired).text("status") == "pending")
        scene.pass(.seconds(1))
        #expect(scene.look(expired).text("status") == "expired")
    }

    @Test func `a person slower than the request's life lets it expire`() throws {
        let scene = try Scene.granted(.approve(after: .seconds(600)))
        let id = try scene.picked()
        scene.pass(.seconds(700))
        #expect(scene.look(id).text("status") == "expired")
    }

    @Test func `nobody has to look at the right moment`() throws {
        let scene = try Scene.granted(.approve(after: .seconds(2)))
        let id = try scene.picked()
        scene.pass(.seconds(3000))
        #expect(scene.look(id).text("status") == "completed")
    }

    @Test func `a script is changed for what is still open, not for what was answered before`() throws {
        let scene = try Scene.granted(.deny(after: .seconds(1)))
        let early = try scene.picked()
        scene.pass(.seconds(1))
        let late = try scene.picked()
        scene.world.setPerson(.approve(after: .seconds(1)), at: scene.now)
        scene.pass(.seconds(1))
        #expect(scene.look(early).text("status") == "denied")
        #expect(scene.look(late).text("status") == "completed")
    }

    @Test(arguments: [nil, "{}"])
    func `cancelling takes an empty body or an empty object, once`(body: String?) throws {
        let scene = try Scene.granted()
        let id = try scene.picked()
        let path = "/api/oauth/requests/\(id)/cancel"
        let bytes = Array((body ?? "").utf8)
        #expect(scene.send(scene.signed(.post, path, bytes)).text("status") == "cancelled")
        #expect(scene.send(scene.signed(.post, path, bytes)).summary == "409 request_not_pending")
        #expect(scene.look(id).text("status") == "cancelled")
    }

    @Test func `cancelling what the person has just approved is too late`() throws {
        let scene = try Scene.granted(.approve(after: .seconds(1)))
        let id = try scene.picked()
        scene.pass(.seconds(1))
        #expect(scene.call(.post, "/api/oauth/requests/\(id)/cancel", [:]).summary == "409 request_not_pending")
    }

    @Test func `the 101st unfinished request is refused, and a finished one makes room`() throws {
        let scene = try Scene.granted()
        let first = try scene.picked()
        for _ in 1..<100 { #expect(scene.pick().summary == "200") }
        #expect(scene.pick().summary == "429 too_many_requests")
        #expect(scene.call(.post, "/api/oauth/requests/\(first)/cancel", [:]).summary == "200")
        #expect(scene.pick().summary == "200")
        #expect(scene.pick().summary == "429 too_many_requests")
        scene.pass(.seconds(600))
        #expect(scene.pick().summary == "200")
    }

    @Test(arguments: [
        ("no json", "400 invalid_input"), ("[]", "400 invalid_input"), ("{}", "400 invalid_input"),
        (#"{"op":7}"#, "400 invalid_input"), (#"{"op":"steal_item"}"#, "400 invalid_op"),
        (#"{"op":"pick_item","hint":"bank"}"#, "400 invalid_input"),
        (#"{"op":"pick_item","reason":[]}"#, "400 invalid_input"),
        (#"{"op":"pick_item","vault_id":"v_other"}"#, "403 vault_not_granted"),
        (#"{"op":"get_item"}"#, "400 item_id_required"),
        (#"{"op":"get_item","item_id":"it_bank"}"#, "403 vault_not_granted"),
        (#"{"op":"get_item","item_id":"it_bank","vault_id":"v_work"}"#, "400 invalid_input"),
        (#"{"op":"pick_item","hint":null,"reason":null,"vault_id":null}"#, "200"),
        (#"{"op":"pick_item","hint":{"url":7},"unknown":true}"#, "200"),
    ])
    func `bodies are judged as documented`(body: String, summary: String) throws {
        let scene = try Scene.granted()
        #expect(scene.send(scene.signed(.post, "/api/oauth/requests", Array(body.utf8))).summary == summary)
    }

    @Test func `a read from an ask vault waits for the person, one from a trust vault for the device`() throws {
        let scene = try Scene.granted()
        func get(_ item: String, _ vault: String) -> Reply {
            scene.call(
                .post, "/api/oauth/requests",
                ["op": "get_item", "item_id": .string(item), "vault_id": .string(vault)])
        }
        #expect(get("it_bank", "v_personal").text("status") == "pending")
        let trusted = get("it_build", "v_robots")
        #expect(trusted.text("status") == "approved")
        let id = try #require(trusted.text("id"))
        #expect(scene.look(id).text("status") == "approved")
        #expect(try scene.open("mimikey://request?request_id=\(id)&state=s")["status"] == "completed")
        #expect(try scene.opened(scene.look(id))["item"]?["id"]?.string == "it_build")
    }

    @Test func `requests of another grant do not exist`() throws {
        let scene = try Scene.granted()
        let id = try scene.picked()
        try scene.authorize()
        #expect(scene.look(id).summary == "404 request_not_found")
        #expect(scene.look("rq_nope").summary == "404 request_not_found")
        #expect(scene.look("rq%5Fnope%2F").summary == "404 request_not_found")
        #expect(scene.call(.post, "/api/oauth/requests/\(id)/cancel", [:]).summary == "404 request_not_found")
    }

    @Test func `a patch has no draft to go to`() throws {
        let scene = try Scene.granted()
        let path = "/api/oauth/requests/\(try scene.picked())/patch"
        #expect(scene.call(.put, path, ["patch_enc": "AAAA"]).summary == "409 request_not_draft")
    }

    @Test func `account and vaults show what was granted`() throws {
        let scene = try Scene.granted()
        let account = scene.call(.get, "/api/oauth/account")
        #expect(account.text("grant_id") == scene.grantID)
        #expect(account.text("identity_public_key").flatMap { Wire.key($0) } != nil)
        #expect(account["vaults"] == scene.call(.get, "/api/oauth/vaults")["vaults"])
    }

    @Test func `400,000 bytes are judged, one more is too large before anything else`() throws {
        let scene = Scene()
        let most = [UInt8](repeating: 0x20, count: 400_000)
        #expect(scene.send(.post, "/api/oauth/requests", body: most).summary == "401 invalid_token")
        #expect(scene.send(.post, "/api/oauth/requests", body: most + [0x20]).summary == "413 plain")
        #expect(scene.send(.post, "/api/oauth/token", body: most + [0x20]).summary == "413 plain")
    }

    @Test(arguments: [
        ("GET", "/api/oauth/token", 405), ("DELETE", "/api/oauth/requests/rq_1", 405), ("GET", "/api/oauth", 404),
        ("GET", "/api/oauth/vaults/", 404), ("GET", "/api//oauth/vaults", 404), ("GET", "/api/oauth/clients", 405),
        ("GET", "/api/oauth/requests/", 404), ("GET", "/api/oauth/requests/%zz", 404), ("GET", "/nope", 404),
    ])
    func `other paths and methods are not served`(method: String, path: String, status: Int) {
        let scene = Scene()
        #expect(scene.send(HTTPMethod(name: method), path).summary == "\(status) plain")
    }
}
