import Core
import Testing

@testable import Sandbox

struct ControlDoorTests {
    @Test func `the person's own tap picks the item that is named`() throws {
        let scene = try Scene.granted()
        let id = try scene.picked()
        let reply = scene.control(.post, "/_sandbox/requests/\(id)/approve", ["item_id": "it_card"])
        #expect(reply == Reply(["id": .string(id), "state": "completed"]))
        #expect(try scene.opened(scene.look(id))["item"]?["record"]?["extra"]?["card_code"]?.string == "000")
        #expect(scene.control(.post, "/_sandbox/requests/\(id)/deny").summary == "409 request_not_pending")
    }

    @Test func `the person cannot pick what the card does not offer`() throws {
        let scene = try Scene.granted()
        let id = try scene.picked([.init("vault_id", "v_work")])
        let path = "/_sandbox/requests/\(id)/approve"
        #expect(scene.control(.post, path, ["item_id": "it_bank"]).summary == "400 invalid_input")
        #expect(scene.control(.post, path, ["item_id": "it_code"]).summary == "200")
    }

    @Test(arguments: [("deny", "denied"), ("expire", "expired"), ("approve", "completed")])
    func `a tap ends the request`(verb: String, state: String) throws {
        let scene = try Scene.granted()
        let id = try scene.picked()
        #expect(scene.control(.post, "/_sandbox/requests/\(id)/\(verb)").text("state") == state)
        #expect(scene.look(id).text("status") == state)
    }

    @Test func `a denial can be a conflict`() throws {
        let scene = try Scene.granted()
        let id = try scene.picked()
        _ = scene.control(.post, "/_sandbox/requests/\(id)/deny", ["deny_reason": "conflict"])
        #expect(scene.look(id).text("deny_reason") == "conflict")
    }

    @Test func `requests are listed as the person sees them`() throws {
        let scene = try Scene.granted()
        let id = try scene.picked([
            .init("hint", ["url": "https://bank.example.com"]), .init("reason", "agent: reconcile"),
        ])
        guard case .array(let list) = scene.control(.get, "/_sandbox/requests")["requests"] else {
            Issue.record("no list")
            return
        }
        let shown = Reply(try #require(list.first))
        #expect(list.count == 1)
        #expect(shown.text("id") == id)
        #expect(shown.text("op") == "pick_item")
        #expect(shown.text("state") == "pending")
        #expect(shown.text("reason") == "agent: reconcile")
        #expect(shown["hint"] == ["url": "https://bank.example.com"])
    }

    @Test func `access tokens can be made to expire, and a refresh mends it`() throws {
        let scene = try Scene.granted()
        #expect(scene.control(.post, "/_sandbox/access-tokens/expire").summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "401 token_expired")
        scene.keep(scene.rotate())
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "200")
    }

    @Test func `everything that was seen is counted`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let id = try scene.picked()
        _ = scene.look(id)
        _ = scene.look("rq_other")
        scene.keep(scene.rotate())
        let stats = scene.control(.get, "/_sandbox/stats")
        #expect(stats.integer("authorization_code_exchanges") == 1)
        #expect(stats.integer("refreshes") == 1)
        #expect(stats.integer("requests_created") == 1)
        #expect(stats.integer("polls") == 2)
        #expect(
            stats["requests"] == [
                "GET /api/oauth/requests/{id}": 2, "POST /api/oauth/requests": 1, "POST /api/oauth/token": 2,
            ])
        #expect(stats["refusals"] == ["request_not_found": 1])
    }

    @Test func `the script, the grants and the clients can be changed`() throws {
        let scene = try Scene.granted()
        #expect(scene.control(.post, "/_sandbox/person", ["script": "deny after=1s"]).summary == "200")
        #expect(scene.world.person == .deny(after: .seconds(1)))
        #expect(scene.control(.post, "/_sandbox/person", ["script": "dance"]).summary == "400 invalid_input")
        let path = "/_sandbox/clients/pmc_sandbox/disable"
        #expect(scene.control(.post, path, ["by": "platform"]).summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "401 client_disabled")
        #expect(scene.control(.post, path).summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "403 client_disabled")
        #expect(scene.control(.post, "/_sandbox/grants/revoke").summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "401 grant_revoked")
    }

    @Test func `the door opens links`() throws {
        let scene = Scene()
        let reply = scene.control(.post, "/_sandbox/open", ["url": .string(scene.link())])
        #expect(reply.text("callback")?.hasPrefix("http://127.0.0.1:7447/callback?code=") == true)
        let id = try Scene.granted().picked()
        #expect(
            scene.control(.post, "/_sandbox/open", ["url": .string("mimikey://request?request_id=\(id)")])
                == Reply(["callback": nil]))
    }

    @Test(arguments: [
        ("GET", "/_sandbox/nothing", "404 plain"), ("POST", "/_sandbox/stats", "404 plain"),
        ("POST", "/_sandbox/open", "400 invalid_input"), ("POST", "/_sandbox/faults", "400 invalid_input"),
        ("POST", "/_sandbox/requests/rq_no/approve", "404 request_not_found"),
        ("POST", "/_sandbox/clients/pmc_no/disable", "404 client_not_found"),
    ])
    func `what the door does not know is refused`(method: String, path: String, summary: String) {
        #expect(Scene().control(HTTPMethod(name: method), path).summary == summary)
    }
}

struct FaultTests {
    private func fault(_ scene: Scene, _ members: JSON) -> String {
        scene.control(.post, "/_sandbox/faults", members).summary
    }

    @Test func `an answer is swallowed after the deed`() throws {
        let scene = try Scene.granted()
        #expect(fault(scene, ["name": "close_before_answer_next", "path": "/api/oauth/requests"]) == "200")
        let pass = scene.world.receive(scene.signed(.get, "/api/oauth/vaults"), at: scene.now)
        #expect(pass.manner == .prompt)
        let body = Array(#"{"op":"pick_item"}"#.utf8)
        let cut = scene.world.receive(scene.signed(.post, "/api/oauth/requests", body), at: scene.now)
        #expect(cut.manner == .cut)
        #expect(scene.world.stats.requestsCreated == 1)
        let next = scene.world.receive(scene.signed(.post, "/api/oauth/requests", body), at: scene.now)
        #expect(next.manner == .prompt)
    }

    @Test func `a status is answered instead of the deed`() throws {
        let scene = try Scene.granted()
        let path = "/api/oauth/requests/{id}"
        #expect(
            fault(scene, ["name": "status_next", "path": .string(path), "status": 500, "error": "database_error"])
                == "200")
        #expect(fault(scene, ["name": "status_next", "path": .string(path), "status": 502]) == "200")
        let id = try scene.picked()
        func look() -> String {
            scene.world.receive(scene.signed(.get, "/api/oauth/requests/\(id)"), at: scene.now).reply.summary
        }
        #expect(look() == "500 database_error")
        #expect(look() == "502 plain")
        #expect(look() == "200")
    }

    @Test func `an answer comes late`() throws {
        let scene = try Scene.granted()
        #expect(fault(scene, ["name": "delay_next", "ms": 1500]) == "200")
        let late = scene.world.receive(scene.signed(.get, "/api/oauth/vaults"), at: scene.now)
        #expect(late.manner == .late(.milliseconds(1500)))
        #expect(late.reply.summary == "200")
    }

    @Test(
        arguments: [
            ["name": "status_next"], ["name": "status_next", "status": 99], ["name": "delay_next", "ms": 60_001],
            ["name": "delay_next"], ["name": "explode"], [:],
            ["name": "status_next", "status": 500, "error": "No code"],
        ] as [JSON])
    func `what is no fault is refused`(members: JSON) {
        #expect(fault(Scene(), members) == "400 invalid_input")
    }

    @Test func `at most 100 faults wait`() {
        let scene = Scene()
        for _ in 0..<100 { #expect(fault(scene, ["name": "close_before_answer_next"]) == "200") }
        #expect(fault(scene, ["name": "close_before_answer_next"]) == "429 too_many_requests")
    }
}
