import Core
import Testing

@testable import Sandbox

struct ShapeTests {
    private func shaped(_ shapes: JSON) throws -> Scene {
        let scene = try Scene.granted(.approve(after: .zero))
        #expect(scene.control(.post, "/_sandbox/shapes", shapes).summary == "200")
        return scene
    }

    private func receive(_ scene: Scene, _ call: APICall) -> Reply {
        scene.world.receive(call, at: scene.now).reply
    }

    private func pick(_ scene: Scene) -> Reply {
        receive(scene, scene.signed(.post, "/api/oauth/requests", Array(#"{"op":"pick_item"}"#.utf8)))
    }

    @Test func `a request is wrapped, and an error is too little to wrap`() throws {
        let scene = try shaped(["wrapped": true])
        guard case .object(let members)? = pick(scene)["request"] else {
            Issue.record("not wrapped")
            return
        }
        #expect(members["status"] == "pending")
        #expect(receive(scene, scene.signed(.get, "/api/oauth/vaults"))["vaults"] != nil)
        #expect(receive(scene, scene.signed(.get, "/api/oauth/requests/rq_no")).summary == "404 request_not_found")
    }

    @Test(
        arguments: [
            ("integer", 1_780_000_000), ("rfc3339", "2026-05-28T20:26:40Z"),
            ("fractions", "2026-05-28T20:26:40.123456789Z"), ("offset", "2026-05-28T22:26:40+02:00"),
        ] as [(String, JSON)])
    func `times come in four forms`(times: String, created: JSON) throws {
        let scene = try shaped(["times": .string(times)])
        #expect(pick(scene)["created_at"] == created)
    }

    @Test func `a box is padded`() throws {
        let scene = try shaped(["padded_base64": true])
        let id = try scene.id(pick(scene))
        let box = try #require(receive(scene, scene.signed(.get, "/api/oauth/requests/\(id)")).text("result_enc"))
        #expect(box.utf8.count % 4 == 0)
        let key = receive(scene, scene.signed(.get, "/api/oauth/account")).text("identity_public_key")
        #expect(key?.hasSuffix("=") == true)
    }

    @Test func `the policy stands outside, but where a vault has another`() throws {
        let scene = try shaped(["top_level_policy": true])
        let reply = receive(scene, scene.signed(.get, "/api/oauth/vaults"))
        #expect(reply.text("policy") == "ask")
        #expect(
            reply["vaults"] == [
                ["id": "v_personal", "name": "Personal", "mode": 1], ["id": "v_work", "name": "Work", "mode": 1],
                ["id": "v_robots", "name": "Robots", "mode": 1, "policy": "trust"],
            ])
    }

    @Test func `the link is absent`() throws {
        let scene = try shaped(["no_open_url": true])
        #expect(pick(scene)["open_url"] == nil)
        #expect(scene.control(.get, "/_sandbox/shapes")["no_open_url"] == true)
    }

    @Test(arguments: [["wrapped": 1], ["times": "sundial"], ["round": true]] as [JSON])
    func `what is no shape is refused`(body: JSON) {
        #expect(Scene().control(.post, "/_sandbox/shapes", body).summary == "400 invalid_input")
    }
}

struct StatsTests {
    @Test func `polls are counted for each request, and the most in a second`() throws {
        let scene = try Scene.granted()
        let (first, second) = (try scene.picked(), try scene.picked())
        for gap in [0, 400, 400, 400, 2000] {
            scene.pass(.milliseconds(gap))
            _ = scene.look(first)
        }
        _ = scene.look(second)
        let stats = scene.control(.get, "/_sandbox/stats")
        #expect(stats.integer("polls") == 6)
        #expect(stats.integer("most_polls_of_a_request") == 5)
        #expect(stats.integer("most_polls_of_a_request_in_a_second") == 3)
        #expect(stats.integer("most_polls_in_a_second") == 3)
        guard case .object(let requests)? = stats["polls_by_request"] else {
            Issue.record("no polls")
            return
        }
        #expect(requests[first] == ["count": 5, "most_in_a_second": 3, "smallest_gap_ms": 400])
        #expect(requests[second] == ["count": 1, "most_in_a_second": 1, "smallest_gap_ms": nil])
    }

    @Test func `exactly a second apart is not the same second`() {
        var beat = Beat()
        for second in 0..<5 { beat.count(at: UnixTime(seconds: Int64(second))) }
        #expect(beat.most == 1)
        #expect(beat.total == 5)
    }

    @Test func `cancels, revokes and reuses are counted`() throws {
        let scene = try Scene.granted()
        let id = try scene.picked()
        _ = scene.call(.post, "/api/oauth/requests/\(id)/cancel", [:])
        let old = scene.refresh
        scene.keep(scene.rotate())
        let revocation: JSON = ["client_id": "pmc_sandbox", "token": .string(scene.refresh)]
        _ = scene.call(.post, "/api/oauth/revoke", revocation)
        _ = scene.rotate(old)
        let stats = scene.control(.get, "/_sandbox/stats")
        #expect(stats.integer("requests_cancelled") == 1)
        #expect(stats.integer("grants_revoked") == 1)
        #expect(stats.integer("refreshes") == 2)
        #expect(stats.integer("refresh_tokens_reused") == 1)
    }
}
