import Core
import Testing

@testable import Sandbox

struct CreateTests {
    private func create(_ scene: Scene, _ more: JSON.Member...) -> Reply {
        scene.call(
            .post, "/api/oauth/requests", .object([.init("op", "create_item"), .init("kind", "login")] + more))
    }

    private func site(_ url: String) -> JSON.Member { .init("prefill", ["url": .string(url)]) }

    @Test func `what the person saves comes back sealed, with what the client filled in`() throws {
        let scene = try Scene.granted(.approve(after: .seconds(2)))
        let prefill: JSON = [
            "title": "New shop", "url": "https://new.example.org/join", "username_hint": "sam@example.com",
        ]
        let created = create(scene, .init("prefill", prefill), .init("vault_id", "v_work"))
        #expect(created.text("op") == "create_item")
        #expect(created.text("status") == "pending")
        scene.pass(.seconds(2))
        let item = try scene.item(of: created)
        #expect(item["vault_id"]?.string == "v_work")
        #expect(item["revision"]?.integer == 1)
        #expect(item["kind"]?.string == "login")
        #expect(item["record"]?["title"]?.string == "New shop")
        #expect(item["record"]?["url"]?.string == "https://new.example.org/join")
        #expect(item["record"]?["username"]?.string == "sam@example.com")
        #expect(item["record"]?["password"]?.string?.isEmpty == false)
    }

    @Test func `a saved item can be read afterwards`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let saved = create(scene, site("https://new.example.org"))
        let itemID = try #require(scene.item(of: saved)["id"]?.string)
        let read = scene.call(
            .post, "/api/oauth/requests",
            ["op": "get_item", "item_id": .string(itemID), "vault_id": "v_personal"])
        #expect(try scene.item(of: read)["id"]?.string == itemID)
    }

    @Test(arguments: ["login", "card", "identity", "note", "api_key", "ssh_key"])
    func `each of the six kinds can be made`(kind: String) throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let created = scene.call(.post, "/api/oauth/requests", ["op": "create_item", "kind": .string(kind)])
        let item = try scene.item(of: created)
        #expect(item["kind"]?.string == kind)
    }

    @Test(arguments: [
        (#"{"op":"create_item"}"#, "400 unsupported_kind"),
        (#"{"op":"create_item","kind":"passkey"}"#, "400 unsupported_kind"),
        (#"{"op":"create_item","kind":"Login"}"#, "400 unsupported_kind"),
        (#"{"op":"create_item","kind":7}"#, "400 invalid_input"),
        (#"{"op":"create_item","kind":"login","prefill":"x"}"#, "400 invalid_input"),
        (#"{"op":"create_item","kind":"login","vault_id":"v_private"}"#, "403 vault_not_granted"),
        (#"{"op":"create_item","kind":"login","prefill":null,"vault_id":null}"#, "200"),
        (#"{"op":"create_item","kind":"login","prefill":{"url":7,"password":"x"}}"#, "200"),
    ])
    func `bodies are judged as documented`(body: String, summary: String) throws {
        let scene = try Scene.granted()
        #expect(scene.send(scene.signed(.post, "/api/oauth/requests", Array(body.utf8))).summary == summary)
    }

    @Test func `without a vault it is the first that was granted`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let id = try #require(create(scene).text("id"))
        #expect(try scene.opened(scene.look(id))["item"]?["vault_id"]?.string == "v_personal")
    }

    @Test(arguments: [
        "https://new.example.org/other", "http://new.example.org:8443", "https://NEW.example.org", "new.example.org",
    ])
    func `a second one for the same host and vault is the first one`(url: String) throws {
        let scene = try Scene.granted()
        let first = create(scene, site("https://new.example.org/join"))
        scene.pass(.seconds(1))
        let second = scene.call(
            .post, "/api/oauth/requests",
            ["op": "create_item", "kind": "card", "prefill": ["url": .string(url)], "reason": "again"])
        #expect(second == first)
        #expect(scene.world.stats.requestsCreated == 1)
    }

    @Test func `another host, another vault, no host at all, or a finished one make a new one`() throws {
        let scene = try Scene.granted()
        let first = try #require(create(scene, site("https://new.example.org")).text("id"))
        var ids: Set = [first]
        for more in [
            [site("https://www.new.example.org")], [site("https://new.example.org"), .init("vault_id", "v_work")], [],
            [],
        ] as [[JSON.Member]] {
            let body = JSON.object([.init("op", "create_item"), .init("kind", "login")] + more)
            ids.insert(try scene.id(scene.call(.post, "/api/oauth/requests", body)))
        }
        #expect(ids.count == 5)
        #expect(scene.control(.post, "/_sandbox/requests/\(first)/deny").summary == "200")
        let last = try scene.id(create(scene, site("https://new.example.org")))
        #expect(!ids.contains(last))
    }

    @Test func `another grant's is another one`() throws {
        let scene = try Scene.granted()
        let first = create(scene, site("https://new.example.org")).text("id")
        try scene.authorize()
        #expect(create(scene, site("https://new.example.org")).text("id") != first)
    }

    @Test func `the same one is found again at the limit of unfinished requests`() throws {
        let scene = try Scene.granted()
        let first = create(scene, site("https://new.example.org")).text("id")
        for _ in 1..<100 { #expect(scene.pick().summary == "200") }
        #expect(create(scene, site("https://new.example.org")).text("id") == first)
        #expect(create(scene, site("https://other.example.org")).summary == "429 too_many_requests")
    }

    @Test func `saved outside the grant, it brings no result`() throws {
        let scene = try Scene.granted(.approve(after: .zero, savesOutside: true))
        let script = scene.look(try scene.id(create(scene)))
        #expect(script.text("status") == "completed")
        #expect(script["saved_out_of_scope"] == true)
        #expect(script["result_enc"] == nil)
        scene.world.setPerson(.manual, at: scene.now)
        let id = try #require(create(scene).text("id"))
        #expect(scene.control(.post, "/_sandbox/requests/\(id)/save_outside").text("state") == "completed")
        #expect(scene.look(id)["saved_out_of_scope"] == true)
        #expect(scene.look(id)["result_enc"] == nil)
        let pick = try scene.picked()
        #expect(scene.control(.post, "/_sandbox/requests/\(pick)/save_outside").summary == "400 invalid_input")
    }

    @Test func `what was saved outside is not offered to the grant`() throws {
        let scene = try Scene.granted(.approve(after: .zero, savesOutside: true))
        _ = scene.look(try scene.id(create(scene, site("https://new.example.org"))))
        let id = try scene.picked([.init("hint", ["url": "https://new.example.org"])])
        #expect(try scene.opened(scene.look(id))["item"]?["record"]?["url"]?.string != "https://new.example.org")
    }
}
