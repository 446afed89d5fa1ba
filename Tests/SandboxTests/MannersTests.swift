import Core
import Testing

@testable import Sandbox

struct MannersTests {
    private static let path = "/api/oauth/vaults"

    /// A scene with a grant, and then one bad manner, always.
    private func rude(_ name: String, seed: UInt64 = 1) throws -> Scene {
        let scene = try Scene.granted()
        scene.world.manners = Manners(seed: seed)
        let reply = scene.control(.post, "/_sandbox/manners", ["name": .string(name), "percent": 100])
        #expect(reply.summary == "200")
        return scene
    }

    private func receive(_ scene: Scene, _ call: APICall) -> Outcome { scene.world.receive(call, at: scene.now) }

    private func pick(_ scene: Scene) -> Outcome {
        receive(scene, scene.signed(.post, "/api/oauth/requests", Array(#"{"op":"pick_item"}"#.utf8)))
    }

    // MARK: The dice

    @Test func `the same seed decides the same, another one otherwise`() {
        func decisions(_ seed: UInt64) -> [[Manner]] {
            var manners = Manners.rude(seed: seed)
            return (0..<500).map { _ in
                let turn = manners.nextTurn()
                return Manner.allCases.filter(turn.strikes)
            }
        }
        #expect(decisions(7) == decisions(7))
        #expect(decisions(7) != decisions(8))
    }

    @Test func `the same seed delays, lags and shuffles the same`() {
        var (first, second) = (Manners.rude(seed: 7), Manners.rude(seed: 7))
        for _ in 0..<100 {
            let (a, b) = (first.nextTurn(), second.nextTurn())
            #expect(a.delay == b.delay)
            #expect(a.retryAfter == b.retryAfter)
            #expect(a.idle == b.idle)
            let json: JSON = ["a": 1, "b": ["c": 2, "d": 3, "e": 4], "f": [1, 2]]
            #expect(a.muddled(json) == b.muddled(json))
        }
    }

    @Test func `every manner comes about as often as it should`() {
        var manners = Manners.rude(seed: 20_260_528)
        var counts: [Manner: Int] = [:]
        for _ in 0..<20_000 {
            let turn = manners.nextTurn()
            for manner in Manner.allCases where turn.strikes(manner) { counts[manner, default: 0] += 1 }
        }
        for manner in Manner.allCases {
            let expected = manner.usualPercent * 200
            #expect(abs(counts[manner, default: 0] - expected) <= max(60, expected / 6), "\(manner)")
        }
    }

    @Test func `one manner's percentage changes nothing of the others`() {
        var (usual, forced) = (Manners.rude(seed: 3), Manners.rude(seed: 3))
        forced.set(.delay, percent: 100)
        forced.set(.closeAfter, percent: 0)
        for _ in 0..<500 {
            let (a, b) = (usual.nextTurn(), forced.nextTurn())
            for manner in Manner.allCases where manner != .delay && manner != .closeAfter {
                #expect(a.strikes(manner) == b.strikes(manner))
            }
            #expect(b.strikes(.delay))
            #expect(!b.strikes(.closeAfter))
        }
    }

    @Test func `polite is polite`() {
        var manners = Manners(seed: 1)
        for _ in 0..<500 {
            let turn = manners.nextTurn()
            #expect(Manner.allCases.allSatisfy { !turn.strikes($0) })
        }
        #expect(manners.dateOffset == 0)
    }

    @Test func `delays are 1 to 15 seconds and scaled, idle time is up to 5 seconds, Date up to 200 seconds off`() {
        var (manners, short) = (Manners.rude(seed: 5), Manners.rude(seed: 5, delayScale: 0.01))
        for _ in 0..<500 {
            let (turn, small) = (manners.nextTurn(), short.nextTurn())
            #expect((.seconds(1)...Duration.seconds(15)).contains(turn.delay))
            #expect((.milliseconds(10)...Duration.milliseconds(150)).contains(small.delay))
            #expect(turn.lag == .seconds(3))
            #expect(small.lag == .milliseconds(30))
            #expect((1...30).contains(turn.retryAfter))
            #expect(small.retryAfter == 1)
            #expect((.zero...Duration.seconds(5)).contains(turn.idle))
        }
        let offsets = (0..<500).map { Manners.rude(seed: $0).dateOffset }
        #expect(offsets.allSatisfy { (-200...200).contains($0) })
        #expect(Set(offsets).count > 100)
    }

    // MARK: Each manner

    @Test func `close_before: nothing is done, and nothing is answered`() throws {
        let scene = try rude("close_before")
        #expect(pick(scene).manner == .cut)
        #expect(scene.world.stats.requestsCreated == 0)
    }

    @Test func `close_after: the deed is done, and nothing is answered`() throws {
        let scene = try rude("close_after")
        #expect(pick(scene).manner == .cut)
        #expect(scene.world.stats.requestsCreated == 1)
    }

    @Test(arguments: [
        ("unavailable", "503 plain"), ("too_many", "429 too_many_requests"), ("html_error", "502 plain"),
        ("database_error", "500 database_error"), ("nonce_seen", "401 nonce_replayed"),
    ])
    func `an error instead of the deed`(name: String, summary: String) throws {
        let scene = try rude(name)
        let outcome = pick(scene)
        #expect(outcome.reply.summary == summary)
        #expect(outcome.manner == .prompt)
        #expect(scene.world.stats.requestsCreated == 0)
        #expect(outcome.reply.fields.contains("retry-after") == (summary.hasPrefix("503") || summary.hasPrefix("429")))
    }

    @Test func `nonce_seen leaves what is not signed alone, and burns no nonce`() throws {
        let scene = try rude("nonce_seen")
        let body: JSON = [
            "grant_type": "refresh_token", "client_id": "pmc_sandbox", "refresh_token": .string(scene.refresh),
        ]
        let refresh = APICall(
            method: .post, path: "/api/oauth/token", fields: [HTTPField("content-type", "application/json")],
            body: body.encoded())
        #expect(receive(scene, refresh).reply.summary == "200")
        let call = scene.signed(.get, Self.path)
        #expect(receive(scene, call).reply.summary == "401 nonce_replayed")
        _ = scene.control(.post, "/_sandbox/manners", ["rude": false])
        #expect(receive(scene, call).reply.summary == "200")
    }

    @Test func `truncated: half of the answer to a deed that was done`() throws {
        let scene = try rude("truncated")
        #expect(pick(scene).manner == .half)
        #expect(scene.world.stats.requestsCreated == 1)
    }

    @Test func `delay: the answer comes late`() throws {
        let scene = try rude("delay")
        guard case .late(let delay) = pick(scene).manner else {
            Issue.record("not late")
            return
        }
        #expect((.seconds(1)...Duration.seconds(15)).contains(delay))
    }

    @Test func `replica_lag: a new request is not found for 3 seconds`() throws {
        let scene = try rude("replica_lag")
        let id = try scene.id(pick(scene).reply)
        #expect(scene.look(id).summary == "404 request_not_found")
        scene.pass(.milliseconds(2999))
        #expect(scene.look(id).summary == "404 request_not_found")
        scene.pass(.milliseconds(1))
        #expect(scene.look(id).text("status") == "pending")
    }

    @Test func `vanish: a new request is never found`() throws {
        let scene = try rude("vanish")
        let id = try scene.id(pick(scene).reply)
        scene.pass(.seconds(60))
        #expect(scene.look(id).summary == "404 request_not_found")
    }

    @Test func `a request can be deleted, as 404 or as 410`() throws {
        let scene = try Scene.granted()
        let (first, second) = (try scene.picked(), try scene.picked())
        #expect(scene.control(.post, "/_sandbox/requests/\(first)/delete").summary == "200")
        #expect(scene.control(.post, "/_sandbox/requests/\(second)/delete", ["status": 410]).summary == "200")
        #expect(scene.look(first).summary == "404 request_not_found")
        #expect(scene.look(second).summary == "410 plain")
        #expect(
            scene.control(.post, "/_sandbox/requests/\(second)/delete", ["status": 500]).summary == "400 invalid_input")
        #expect(scene.control(.post, "/_sandbox/requests/rq_no/delete").summary == "404 request_not_found")
    }

    @Test func `lost_refresh: the token is rotated and its answer lost, so that the old one ends the grant`() throws {
        let scene = try rude("lost_refresh")
        let body: JSON = [
            "grant_type": "refresh_token", "client_id": "pmc_sandbox", "refresh_token": .string(scene.refresh),
        ]
        let call = APICall(
            method: .post, path: "/api/oauth/token", fields: [HTTPField("content-type", "application/json")],
            body: body.encoded())
        #expect(receive(scene, call).manner == .cut)
        #expect(receive(scene, scene.signed(.get, Self.path)).reply.summary == "200")
        #expect(receive(scene, call).reply.summary == "401 refresh_token_reused")
        #expect(receive(scene, scene.signed(.get, Self.path)).reply.summary == "401 grant_revoked")
        #expect(scene.world.stats.reuses == 1)
    }

    @Test func `short_life: an access token lives 90 seconds`() throws {
        let scene = try rude("short_life")
        let body: JSON = [
            "grant_type": "refresh_token", "client_id": "pmc_sandbox", "refresh_token": .string(scene.refresh),
        ]
        let outcome = receive(
            scene,
            APICall(
                method: .post, path: "/api/oauth/token", fields: [HTTPField("content-type", "application/json")],
                body: body.encoded()))
        #expect(outcome.reply.integer("expires_in") == 90)
        scene.keep(outcome.reply)
        scene.pass(.seconds(90))
        #expect(scene.call(.get, Self.path).summary == "401 token_expired")
    }

    @Test func `shuffled_members and unknown_members keep what is known`() throws {
        let scene = try rude("shuffled_members")
        _ = scene.control(.post, "/_sandbox/manners", ["name": "unknown_members", "percent": 100])
        var orders: Set<[String]> = []
        for _ in 0..<10 {
            let reply = pick(scene).reply
            #expect(reply.text("status") == "pending")
            #expect(reply["x_unknown"] != nil)
            guard case .json(.object(let members)) = reply.body else { continue }
            orders.insert(members.map(\.name))
        }
        #expect(orders.count > 1)
    }

    @Test func `idle_close and date_off are left to the connection`() throws {
        let scene = try rude("idle_close")
        #expect(pick(scene).idle != nil)
        #expect(scene.world.manners.dateOffset == 0)
        scene.world.manners.set(.dateOff, percent: 100)
        #expect(scene.world.manners.dateOffset != 0)
    }

    @Test func `the person's own calls and the control door are always polite`() throws {
        let scene = try Scene.granted()
        _ = scene.control(.post, "/_sandbox/manners", ["name": "close_before", "percent": 100])
        let call = APICall(method: .post, path: "/api/oauth/clients")
        #expect(receive(scene, call).manner == .prompt)
        #expect(scene.control(.get, "/_sandbox/stats").summary == "200")
    }

    @Test func `a fault that waits comes before the manners`() throws {
        let scene = try rude("close_before")
        _ = scene.control(
            .post, "/_sandbox/faults", ["name": "status_next", "status": 503, "error": "busy", "retry_after": 7])
        let reply = pick(scene).reply
        #expect(reply.summary == "503 busy")
        #expect(reply.fields.text("retry-after") == "7")
        #expect(pick(scene).manner == .cut)
    }

    @Test func `faults close before the deed and truncate`() throws {
        let scene = try Scene.granted()
        _ = scene.control(.post, "/_sandbox/faults", ["name": "close_before_deed_next"])
        _ = scene.control(.post, "/_sandbox/faults", ["name": "truncate_next"])
        #expect(pick(scene).manner == .cut)
        #expect(scene.world.stats.requestsCreated == 0)
        #expect(pick(scene).manner == .half)
        #expect(scene.world.stats.requestsCreated == 1)
    }

    @Test func `the service's own clock can be wrong`() throws {
        let scene = try Scene.granted()
        #expect(scene.control(.post, "/_sandbox/clock", ["offset_seconds": 301]).summary == "200")
        #expect(receive(scene, scene.signed(.get, Self.path)).reply.summary == "401 timestamp_out_of_window")
        #expect(receive(scene, scene.signed(.get, Self.path, offset: 301)).reply.summary == "200")
        #expect(scene.control(.post, "/_sandbox/clock", ["offset_seconds": "x"]).summary == "400 invalid_input")
    }

    // MARK: The door

    @Test func `the manners are shown and changed`() throws {
        let scene = Scene()
        let polite = scene.control(.get, "/_sandbox/manners")
        #expect(polite["manners"] == .object(Manner.allCases.map { .init($0.rawValue, 0) }))
        let rude = scene.control(.post, "/_sandbox/manners", ["rude": true, "seed": 42, "delay_scale_percent": 1])
        #expect(rude.text("seed") == "42")
        #expect(rude.text("delay_scale") == "0.01")
        #expect(scene.world.manners == Manners.rude(seed: 42, delayScale: 0.01))
        _ = scene.control(.post, "/_sandbox/manners", ["name": "all", "percent": 0])
        #expect(scene.control(.get, "/_sandbox/manners")["manners"] == polite["manners"])
    }

    @Test(
        arguments: [
            ["name": "delay"], ["name": "delay", "percent": 101], ["name": "delay", "percent": -1],
            ["name": "kindness", "percent": 1], ["rude": 1], ["seed": -1], ["seed": "x"],
            ["delay_scale_percent": 10_001],
        ] as [JSON])
    func `what is no manner is refused, and changes nothing`(body: JSON) {
        let scene = Scene()
        let before = scene.world.manners
        #expect(scene.control(.post, "/_sandbox/manners", body).summary == "400 invalid_input")
        #expect(scene.world.manners == before)
    }
}
