import Core
import TestSupport
import Testing

@testable import Gateway

struct ReleaseTests {
    /// Asks and lets the person pick; nothing is fetched yet.
    private static func completed(
        _ gateway: TestGateway, _ body: String = #"{"op":"pick_item","hint":{"url":"https://bank.example.com"}}"#,
        record: String = FakeMimiKey.record
    ) async throws -> String {
        let id = try #require(await gateway.ask(body).string("id"))
        gateway.mimiKey.approve(record: record)
        await gateway.poll()
        // HEAD waits like GET and opens no box.
        let head = await gateway.look(id, wait: 60, method: .head)
        #expect(head.state == "completed")
        return id
    }

    @Test func `HEAD and DELETE never carry a result`() async throws {
        try await withGateway { gateway in
            let id = try await Self.completed(gateway)
            for answer in [await gateway.look(id, method: .head), await gateway.cancel(id)] {
                #expect(answer.state == "completed")
                #expect(answer.json["result"]?.isNull == true)
                #expect(answer.string("result_state") == "held")
                #expect(!answer.text.contains("canary-password"))
            }
        }
    }

    @Test func `H1-38 HEAD of a held result tells no length, HEAD of a released one that of GET`() async throws {
        var options = TestGateway.Options()
        options.overSocket = true
        try await withGateway(options) { gateway in
            let id = try #require(await gateway.ask(#"{"op":"pick_item"}"#).string("id"))
            gateway.mimiKey.approve(record: FakeMimiKey.record)
            await gateway.poll()
            let held = await gateway.look(id, wait: 60, method: .head)
            #expect(held.status == 200 && held.body.isEmpty && held.fields.text("content-length") == nil)
            #expect(await gateway.look(id).json["result"]?["item"] != nil)
            await gateway.clock.untilSleepers { $0.contains(.seconds(60)) }
            gateway.clock.advance(by: .seconds(60))
            let released = await gateway.look(id, method: .head)
            let whole = await gateway.look(id)
            #expect(whole.string("result_state") == "released")
            #expect(released.fields.text("content-length") == "\(whole.body.count)")
        }
    }

    @Test func `AP-11 a result can be had again for a minute after its first delivery`() async throws {
        try await withGateway { gateway in
            let id = try await Self.completed(gateway)
            #expect(await gateway.look(id).json["result"]?["item"] != nil)
            await gateway.clock.untilSleepers { $0.contains(.seconds(60)) }
            gateway.clock.advance(by: .seconds(59))
            #expect(await gateway.look(id).json["result"]?["item"] != nil)
            gateway.clock.advance(by: .seconds(1))
            let over = await gateway.look(id)
            #expect(over.status == 200)
            #expect(over.json["result"]?.isNull == true)
            #expect(over.string("result_state") == "released")
            #expect(over.string("next_action") == "stop")
        }
    }

    @Test func `however many results are held, one task keeps their time, and all go when it is over`() async throws {
        try await withGateway(.init(limits: "{ open: 80, longest_wait: 5m }")) { gateway in
            var ids: [String] = []
            for number in 0..<60 {
                let body = #"{"op":"pick_item","hint":{"url":"https://bank\#(number).example.com"}}"#
                ids.append(try #require(await gateway.ask(body).string("id")))
            }
            for number in 0..<60 { gateway.mimiKey.approve(number) }
            await gateway.poll(asks: 60)
            for id in ids { #expect(await gateway.look(id, wait: 60, method: .head).state == "completed") }
            for id in ids { #expect(await gateway.look(id).json["result"]?["item"] != nil) }
            while gateway.log.count(where: { "\($0.message)" == "result delivered" }) < 60 { await Task.yield() }
            await gateway.clock.untilSleepers { $0.contains(.seconds(60)) }
            #expect(await gateway.held() == 1)
            gateway.clock.advance(by: .seconds(61))
            for id in ids { #expect(await gateway.look(id).string("result_state") == "released") }
            // Were one still there, somebody would sleep until its ten minutes are over.
            #expect(await gateway.held() == 0)
        }
    }

    @Test func `AP-10 a result that nobody fetches is dropped after ten minutes`() async throws {
        try await withGateway { gateway in
            let id = try await Self.completed(gateway)
            gateway.clock.advance(by: .seconds(599))
            #expect(await gateway.look(id, method: .head).string("result_state") == "held")
            gateway.clock.advance(by: .seconds(1))
            let over = await gateway.look(id)
            #expect(over.string("result_state") == "expired")
            #expect(over.json["result"]?.isNull == true)
        }
    }

    @Test func `a delivery that was cut short starts no minute`() async throws {
        try await withGateway { gateway in
            let id = try await Self.completed(gateway)
            _ = await gateway.look(id, delivered: false)
            gateway.clock.advance(by: .seconds(120))
            #expect(await gateway.look(id).json["result"]?["item"] != nil)
        }
    }

    @Test func `what was wanted is narrowed by the rule`() async throws {
        try await withGateway(.init(rules: "      - { ops: [pick_item], fields: [username] }")) { gateway in
            let id = try await Self.completed(gateway, #"{"op":"pick_item","want":["username","password"]}"#)
            let record = await gateway.look(id).json["result"]?["item"]?["record"]
            #expect(record?.members.map(\.name) == ["username"])
        }
    }

    @Test func `what no rule lets out is refused before any card`() async throws {
        try await withGateway(.init(rules: "      - { ops: [pick_item], fields: [username] }")) { gateway in
            let answer = await gateway.ask(#"{"op":"pick_item","want":["password"]}"#)
            #expect(answer.status == 403)
            #expect(answer.error == "policy_denied")
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `nothing left to hand out is failed, and the box is dropped`() async throws {
        try await withGateway(.init(rules: "      - { ops: [pick_item], fields: [username, notes] }")) { gateway in
            let id = try await Self.completed(gateway, #"{"op":"pick_item","want":["notes","password"]}"#)
            let answer = await gateway.look(id)
            #expect(answer.status == 200)
            #expect(answer.state == "failed")
            #expect(answer.error == "policy_denied_on_item")
            #expect(answer.json["executed"]?.bool == true)
            #expect(!answer.text.contains("canary"))
            #expect(await gateway.look(id).state == "failed")
        }
    }

    @Test func `an item of another host is not handed out, nor named`() async throws {
        let rules = "      - { ops: [pick_item], hosts: [bank.example.com], fields: all }"
        try await withGateway(.init(rules: rules)) { gateway in
            let record = #"{"title":"Mail","url":"https://mail.canary.example","password":"canary-password"}"#
            let id = try await Self.completed(gateway, record: record)
            let answer = await gateway.look(id)
            #expect(answer.state == "failed")
            #expect(answer.error == "policy_denied_on_item")
            #expect(!answer.text.contains("canary"))
        }
    }

    @Test func `a host that no rule allows is refused before any card`() async throws {
        let rules = "      - { ops: [pick_item], hosts: [bank.example.com], fields: all }"
        try await withGateway(.init(rules: rules)) { gateway in
            let foreign = await gateway.ask(#"{"op":"pick_item","hint":{"url":"https://evil.example"}}"#)
            #expect(foreign.status == 403)
            #expect(foreign.error == "policy_denied")
            let missing = await gateway.ask(#"{"op":"pick_item"}"#)
            #expect(missing.status == 403)
            #expect(missing.text.contains("hint.url"))
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `a result that does not open is failed`() async throws {
        try await withGateway { gateway in
            let made = try #require(await gateway.ask(#"{"op":"pick_item","hint":{"title":"a"}}"#).string("id"))
            // Sealed for another request.
            _ = await gateway.ask(#"{"op":"pick_item","hint":{"title":"b"}}"#)
            gateway.mimiKey.approve(1)
            gateway.mimiKey.swapResults(0, 1)
            await gateway.poll(asks: 2)
            let answer = await gateway.look(made, wait: 60)
            #expect(answer.state == "failed")
            #expect(answer.error == "result_open_failed")
        }
    }

    @Test func `at most eight results are open at once, and all are delivered`() async throws {
        try await withGateway { gateway in
            let id = try await Self.completed(gateway)
            let request = HTTPRequest(
                head: RequestHead(
                    method: .get, target: .origin(path: "/v1/requests/\(id)", query: nil),
                    fields: [
                        HTTPField("host", "127.0.0.1:7447"), HTTPField("authorization", "Bearer \(TestGateway.token)"),
                    ]), peer: Peer(door: .tcp(TestGateway.address)))
            var open: [HTTPResponse] = []
            for _ in 0..<8 { open.append(await gateway.responder.respond(to: request)) }
            let ninth = Task { await gateway.look(id) }
            let before = gateway.requestLines
            for _ in 0..<100 { await Task.yield() }
            #expect(gateway.requestLines == before)
            for response in open { response.delivered?(true) }
            #expect(await ninth.value.json["result"]?["item"] != nil)
        }
    }

    @Test func `life of a result`() {
        let start = Instant(nanoseconds: 0)
        var life = ResultLife(completedAt: start)
        #expect(life.state(at: start + .seconds(599)) == .held)
        #expect(life.state(at: start + .seconds(600)) == .expired)
        life.delivered(at: start + .seconds(590))
        life.delivered(at: start + .seconds(595))
        #expect(life.end == start + .seconds(600))
        #expect(life.state(at: start + .seconds(600)) == .released)
    }
}
