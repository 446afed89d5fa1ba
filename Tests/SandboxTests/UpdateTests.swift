import Core
import Strongbox
import Testing

@testable import Sandbox

struct UpdateTests {
    private func draft(_ scene: Scene, fields: JSON = ["password"]) -> Reply {
        scene.call(
            .post, "/api/oauth/requests",
            ["op": "update_item", "item_id": "it_bank", "vault_id": "v_personal", "fields": fields, "reason": "rotate"])
    }

    private func drafted(_ scene: Scene, fields: JSON = ["password"]) throws -> String {
        try scene.id(draft(scene, fields: fields))
    }

    /// Sealed to the account, as the client does it.
    private func patch(_ scene: Scene, _ id: String, _ plaintext: String, aad: String? = nil) throws -> JSON {
        let account = scene.call(.get, "/api/oauth/account")
        let key = try #require(account.text("identity_public_key").flatMap { Base64URL.decode($0) })
        let box = try SealedBox.seal(
            Array(plaintext.utf8), to: key, info: Array("mimikey/v3/patch".utf8),
            aad: Array((aad ?? "\(scene.grantID)\n\(id)").utf8))
        return ["patch_enc": .string(Base64URL.encode(box))]
    }

    private func upload(_ scene: Scene, _ id: String, _ body: JSON) -> Reply {
        scene.call(.put, "/api/oauth/requests/\(id)/patch", body)
    }

    @Test func `a draft, a patch, a tap: the item has another revision, and nothing is given out`() throws {
        let scene = try Scene.granted()
        let created = draft(scene, fields: ["password", "notes", "card_number"])
        #expect(created.text("status") == "draft")
        #expect(created.integer("expires_at") == scene.now.seconds + 60)
        let id = try #require(created.text("id"))
        scene.pass(.seconds(59))
        let plaintext = #"{"patch":{"password":"new-1","notes":"","card_number":"1"}}"#
        let pending = upload(scene, id, try patch(scene, id, plaintext))
        #expect(pending.text("status") == "pending")
        #expect(pending.integer("expires_at") == scene.now.seconds + 600)
        scene.pass(.seconds(500))
        #expect(scene.control(.post, "/_sandbox/requests/\(id)/approve").text("state") == "completed")
        let done = scene.look(id)
        #expect(done["updated_item"] == ["item_id": "it_bank", "revision": 8])
        #expect(done["result_enc"] == nil)
        let item = try #require(scene.world.items.first { $0.id == "it_bank" })
        #expect(item.password == "new-1")
        #expect(item.notes == "")
        #expect(item.username == "sam@example.com")
        #expect(item.extra.map(\.value) == ["1"])
        #expect(item.revision == 8)
    }

    @Test(arguments: [
        (#"{"op":"update_item"}"#, "400 item_id_required"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal"}"#, "400 fields_required"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":null}"#, "400 fields_required"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":[]}"#, "400 invalid_fields"),
        (
            #"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":"password"}"#,
            "400 invalid_fields"
        ),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":[1]}"#, "400 invalid_fields"),
        (
            #"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":["Password"]}"#,
            "400 invalid_fields"
        ),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":["_a"]}"#, "400 invalid_fields"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":["1a"]}"#, "400 invalid_fields"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":[""]}"#, "400 invalid_fields"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":["a-b"]}"#, "400 invalid_fields"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":["a_1"]}"#, "200"),
        (#"{"op":"update_item","item_id":"it_bank","fields":["a"]}"#, "403 vault_not_granted"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_private","fields":["a"]}"#, "403 vault_not_granted"),
        (#"{"op":"update_item","item_id":"it_bank","vault_id":"v_work","fields":["a"]}"#, "400 invalid_input"),
        (
            #"{"op":"update_item","item_id":"it_bank","vault_id":"v_personal","fields":["a"],"patch_enc":"AAAA"}"#,
            "400 invalid_input"
        ),
    ])
    func `bodies are judged as documented`(body: String, summary: String) throws {
        let scene = try Scene.granted()
        #expect(scene.send(scene.signed(.post, "/api/oauth/requests", Array(body.utf8))).summary == summary)
    }

    @Test func `32 names pass, 33 do not`() throws {
        let scene = try Scene.granted()
        let names = (1...33).map { JSON.string("field_\($0)") }
        #expect(draft(scene, fields: .array(Array(names.prefix(32)))).summary == "200")
        #expect(draft(scene, fields: .array(names)).summary == "400 invalid_fields")
    }

    @Test func `a draft lives 60 seconds, and then takes no patch`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let id = try drafted(scene)
        scene.pass(.milliseconds(59_999))
        #expect(scene.look(id).text("status") == "draft")
        scene.pass(.milliseconds(1))
        #expect(upload(scene, id, ["patch_enc": "AAAA"]).summary == "409 request_not_draft")
        #expect(scene.look(id).text("status") == "expired")
    }

    @Test func `a script's delay begins with the upload`() throws {
        let scene = try Scene.granted(.approve(after: .seconds(10)))
        let id = try drafted(scene)
        scene.pass(.seconds(30))
        #expect(upload(scene, id, try patch(scene, id, #"{"patch":{"password":"p"}}"#)).summary == "200")
        #expect(scene.look(id).text("status") == "pending")
        scene.pass(.seconds(10))
        #expect(scene.look(id).text("status") == "completed")
    }

    @Test func `a draft counts as unfinished, can be cancelled, and shows no card`() throws {
        let scene = try Scene.granted()
        let id = try drafted(scene)
        for _ in 1..<100 { #expect(draft(scene).summary == "200") }
        #expect(draft(scene).summary == "429 too_many_requests")
        #expect(scene.control(.post, "/_sandbox/requests/\(id)/approve").summary == "409 request_not_pending")
        #expect(scene.call(.post, "/api/oauth/requests/\(id)/cancel", [:]).text("status") == "cancelled")
        #expect(draft(scene).summary == "200")
    }

    @Test func `a second patch is too late, whatever it is`() throws {
        let scene = try Scene.granted()
        let id = try drafted(scene)
        let body = try patch(scene, id, #"{"patch":{"password":"p"}}"#)
        #expect(upload(scene, id, body).summary == "200")
        #expect(upload(scene, id, body).summary == "409 request_not_draft")
        #expect(upload(scene, id, ["patch_enc": "no box"]).summary == "409 request_not_draft")
    }

    @Test(
        arguments: [
            [:], ["patch_enc": nil], ["patch_enc": 7], ["patch_enc": ""], ["patch_enc": "AAAA"],
            ["patch_enc": .string(String(repeating: "A", count: 63))],
            ["patch_enc": .string(String(repeating: "A", count: 65))],
            ["patch_enc": .string(String(repeating: "A", count: 63) + "+")],
            ["patch_enc": .string(String(repeating: "A", count: 64) + "\n")],
            ["patch_enc": .string(String(repeating: "A", count: 65_538))],
        ] as [JSON])
    func `what is no well-formed box of at most 65,536 characters leaves the draft as it was`(body: JSON) throws {
        let scene = try Scene.granted()
        let id = try drafted(scene)
        #expect(upload(scene, id, body).summary == "400 invalid_patch")
        #expect(scene.look(id).text("status") == "draft")
    }

    @Test(arguments: [64, 65_536])
    func `the shortest and the longest box are taken`(count: Int) throws {
        let scene = try Scene.granted()
        let text = String(repeating: "A", count: count)
        #expect(upload(scene, try drafted(scene), ["patch_enc": .string(text)]).text("status") == "pending")
    }

    @Test func `an upload that is no JSON object is no input, and one to nowhere finds nothing`() throws {
        let scene = try Scene.granted()
        let path = "/api/oauth/requests/\(try drafted(scene))/patch"
        #expect(scene.send(scene.signed(.put, path, Array("[]".utf8))).summary == "400 invalid_input")
        #expect(upload(scene, "rq_no", [:]).summary == "404 request_not_found")
    }

    @Test(arguments: [
        #"{"patch":{"username":"u"}}"#, #"{"patch":{"password":"p","username":"u"}}"#, #"{"patch":{}}"#,
        #"{"password":"p"}"#, #"{"patch":{"password":7}}"#, #"{"patch":["password"]}"#, "no json", "[]",
    ])
    func `a patch with other names than the card showed changes nothing`(plaintext: String) throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let id = try drafted(scene)
        #expect(upload(scene, id, try patch(scene, id, plaintext)).summary == "200")
        let done = scene.look(id)
        #expect(done.text("status") == "denied")
        #expect(done.text("deny_reason") == "invalid_patch")
        #expect(scene.world.items.first { $0.id == "it_bank" }?.revision == 7)
    }

    @Test func `a patch is bound to its request`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let (first, second) = (try drafted(scene), try drafted(scene))
        let body = try patch(scene, first, #"{"patch":{"password":"p"}}"#)
        #expect(upload(scene, second, body).summary == "200")
        #expect(scene.look(second).text("status") == "denied")
        #expect(upload(scene, first, body).summary == "200")
        #expect(scene.look(first).text("status") == "completed")
    }

    @Test func `a conflict, by the script and by the control door`() throws {
        let scene = try Scene.granted(.conflict(after: .zero))
        let first = try drafted(scene)
        #expect(upload(scene, first, try patch(scene, first, #"{"patch":{"password":"p"}}"#)).summary == "200")
        #expect(scene.look(first).text("deny_reason") == "conflict")
        #expect(scene.look(try scene.picked()).text("status") == "completed")
        scene.world.setPerson(.manual, at: scene.now)
        let second = try drafted(scene)
        #expect(upload(scene, second, try patch(scene, second, #"{"patch":{"password":"p"}}"#)).summary == "200")
        #expect(scene.control(.post, "/_sandbox/requests/\(second)/conflict").text("state") == "denied")
        #expect(scene.look(second).text("deny_reason") == "conflict")
        #expect(scene.world.items.first { $0.id == "it_bank" }?.revision == 7)
    }

    @Test func `the next read brings what was written`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let id = try drafted(scene)
        #expect(upload(scene, id, try patch(scene, id, #"{"patch":{"password":"fresh"}}"#)).summary == "200")
        _ = scene.look(id)
        let read = scene.call(
            .post, "/api/oauth/requests", ["op": "get_item", "item_id": "it_bank", "vault_id": "v_personal"])
        let item = try scene.item(of: read)
        #expect(item["revision"]?.integer == 8)
        #expect(item["record"]?["password"]?.string == "fresh")
    }
}
