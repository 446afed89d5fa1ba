import Core
import TestSupport
import Testing

@testable import Gateway

struct UpstreamDownTests {
    private static func body(_ number: Int) -> String {
        #"{"op":"pick_item","hint":{"url":"https://s\#(number).example.com"}}"#
    }

    @Test func `AP-17 with MimiKey gone the waits end in time, and the asks expire and say why`() async throws {
        try await withGateway(.init(limits: "{ open: 90, connections: 200 }")) { gateway in
            var ids: [String] = []
            for number in 0..<90 { ids.append(try #require(await gateway.ask(Self.body(number)).string("id"))) }
            gateway.mimiKey.setDown(true)
            let waiting = ids.map { id in Task { await gateway.look(id, wait: 25) } }
            await gateway.untilPolling(asks: 90, waits: 90)
            gateway.clock.advance(by: .seconds(25))
            for task in waiting {
                let answer = await task.value
                #expect(answer.status == 200)
                #expect(answer.state == "pending")
            }
            let asks = gateway.responder.services.asks
            let caller = try #require(CallerName("agent"))
            while await asks.openCount(of: caller) > 0 {
                gateway.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            for id in ids {
                let answer = await gateway.look(id)
                #expect(answer.status == 200)
                #expect(answer.state == "expired")
                #expect(answer.error == "upstream_unreachable")
                #expect(answer.string("next_action") == "ask_user")
                #expect(answer.json["executed"]?.bool == false)
            }
            #expect(await asks.entries.isEmpty)
        }
    }

    @Test func `AP-17 once MimiKey is back, the next look finds it out`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            gateway.mimiKey.setDown(true)
            let polls = { gateway.mimiKey.count("GET /api/oauth/requests/rq_1") }
            for _ in 0..<5 {
                let before = polls()
                await gateway.poll()
                while polls() == before { await Task.yield() }
            }
            gateway.mimiKey.setDown(false)
            gateway.mimiKey.approve()
            let before = polls()
            async let done = gateway.look(id, wait: 60)
            await gateway.poll(waits: 1)
            #expect(await done.state == "completed")
            #expect(polls() == before + 1)
        }
    }

    @Test(arguments: [404, 410])
    func `AP-03 a request that MimiKey has no more is neither denied nor expired nor cancelled`(
        status: Int
    ) async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            // Younger than 10 s it may only be not visible yet.
            await gateway.untilPolling()
            gateway.clock.advance(by: .seconds(11))
            while gateway.mimiKey.count("GET /api/oauth/requests/rq_1") == 0 { await Task.yield() }
            gateway.mimiKey.refuseNext(
                "GET /api/oauth/requests/rq_1", status: HTTPStatus(code: status), "request_not_found")
            async let answer = gateway.look(id, wait: 60)
            await gateway.poll(waits: 1)
            let gone = await answer
            #expect(gone.state == "failed")
            #expect(gone.error == "request_not_found")
            #expect(!gone.text.contains("denied"))
        }
    }

    @Test func `AP-03 only what the person denied has that word in it`() async throws {
        try await withGateway { gateway in
            for (number, state) in ["denied", "expired", "cancelled"].enumerated() {
                let id = try #require(await gateway.ask(Self.body(number)).string("id"))
                gateway.mimiKey.end(number, state)
                async let answer = gateway.look(id, wait: 60)
                await gateway.poll(waits: 1)
                let over = await answer
                #expect(over.state == state)
                #expect(over.text.contains("denied") == (state == "denied"))
            }
        }
    }
}
