import Core
import Strongbox
import Testing

@testable import Sandbox

struct PhonePageTests {
    private func page(_ scene: Scene) -> String {
        guard case .html(let text) = scene.control(.get, "/_sandbox/phone").body else { return "" }
        return text
    }

    private func tap(_ scene: Scene, _ id: String, _ verb: String, _ form: String = "") -> Reply {
        scene.world.control(
            APICall(method: .post, path: "/_sandbox/phone/\(id)/\(verb)", body: Array(form.utf8)), at: scene.now)
    }

    @Test func `an open card can be approved with the item that is chosen`() throws {
        let scene = try Scene.granted()
        let id = try scene.picked([.init("reason", "reconcile")])
        let text = page(scene)
        #expect(text.contains("<dt>Why</dt><dd>reconcile</dd>"))
        #expect(text.contains(#"<option value="it_bank">Example Bank</option>"#))
        #expect(text.contains(#"action="/_sandbox/phone/\#(id)/approve""#))
        let tapped = tap(scene, id, "approve", "item_id=it_note")
        #expect(tapped.status == 303)
        #expect(tapped.fields.text("location") == "/_sandbox/phone")
        #expect(try scene.opened(scene.look(id))["item"]?["id"]?.string == "it_note")
        #expect(!page(scene).contains(id))
    }

    @Test func `each kind of card has its own taps`() throws {
        let scene = try Scene.granted()
        let pick = try scene.picked()
        #expect(tap(scene, pick, "deny").status == 303)
        #expect(scene.look(pick).text("status") == "denied")
        let create = try scene.id(
            scene.call(.post, "/api/oauth/requests", ["op": "create_item", "kind": "login"]))
        #expect(tap(scene, create, "save_outside").status == 303)
        #expect(scene.look(create)["saved_out_of_scope"] == true)
        #expect(tap(scene, create, "approve").summary == "409 request_not_pending")
        #expect(tap(scene, "rq_no", "approve").summary == "404 request_not_found")
        #expect(tap(scene, pick, "dance").summary == "404 plain")
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='x", "javascript:alert(1)",
        "a\u{202E}b\u{200B}\u{7}", "&lt;b&gt;", "64 KiB",
    ])
    func `a text of somebody else's is shown as text on the phone's page`(name: String) throws {
        let text = name == "64 KiB" ? String(repeating: "<b>", count: 64 * 1024 / 3) : name
        let scene = try Scene.granted()
        let hostile = JSON.string(text)
        _ = scene.pick([.init("reason", hostile), .init("hint", ["url": hostile, "title": hostile, "kind": hostile])])
        _ = scene.call(
            .post, "/api/oauth/requests",
            [
                "op": "create_item", "kind": "login", "reason": hostile,
                "prefill": ["title": hostile, "url": hostile, "username_hint": hostile],
            ])
        let shown = page(scene)
        #expect(shown.contains(HTML.escaped(text)))
        #expect(!shown.contains("<script"))
        #expect(!shown.contains("<img"))
        #expect(!shown.contains("<b>"))
        #expect(!shown.contains("href=\"javascript"))
        #expect(!shown.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{200B}" || $0 == "\u{7}" })
    }

    @Test func `the page loads nothing and runs nothing`() throws {
        let reply = Scene().control(.get, "/_sandbox/phone")
        let policy = try #require(reply.fields.text("content-security-policy"))
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(policy.contains("form-action 'self'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        guard case .html(let text) = reply.body else {
            Issue.record("no page")
            return
        }
        #expect(!text.contains("http"))
        #expect(!text.contains("src="))
        #expect(text.contains("No card waits"))
    }
}
