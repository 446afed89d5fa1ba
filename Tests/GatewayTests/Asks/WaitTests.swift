import Core
import TestSupport
import Testing

@testable import Gateway

struct WaitTests {
    @Test func `a POST that does not say is held for 25 s`() async throws {
        try await withGateway { gateway in
            async let answer = gateway.ask(wait: nil)
            await gateway.untilPolling(waits: 1)
            gateway.clock.advance(by: .seconds(24))
            #expect(gateway.log.allSatisfy { $0.message.description != "request" })
            gateway.clock.advance(by: .seconds(1))
            let over = await answer
            #expect(over.status == 202)
            #expect(!over.fields.contains("preference-applied"))
        }
    }

    @Test func `a wait is cut to the caller's longest`() async throws {
        try await withGateway(.init(limits: "{ longest_wait: 10s }")) { gateway in
            async let answer = gateway.ask(wait: 300)
            await gateway.untilPolling(waits: 1)
            gateway.clock.advance(by: .seconds(10))
            let over = await answer
            #expect(over.status == 202)
            #expect(over.fields.text("preference-applied") == "wait=10")
        }
    }

    @Test(arguments: ["wait=abc", "wait=-1", "wait=1.5", "wait"])
    func `a wait that is no number is 400`(prefer: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(
                .post, "/v1/requests", body: #"{"op":"pick_item"}"#, fields: [HTTPField("prefer", prefer)])
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_preference")
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `hanging up ends the wait and not the ask`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let waiting = Task { await gateway.look(id, wait: 300) }
            await gateway.untilPolling(waits: 1)
            waiting.cancel()
            #expect(await waiting.value.state == "pending")
            gateway.mimiKey.approve()
            await gateway.poll()
            #expect(await gateway.look(id, wait: 300).string("state") == "completed")
        }
    }

    @Test func `many waiters make one poll`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let waiting = (0..<10).map { _ in Task { await gateway.look(id, wait: 60) } }
            await gateway.untilPolling(waits: 10)
            let before = gateway.mimiKey.count("GET /api/oauth/requests/rq_1")
            gateway.mimiKey.approve()
            await gateway.poll(waits: 10)
            for task in waiting { #expect(await task.value.string("state") == "completed") }
            #expect(gateway.mimiKey.count("GET /api/oauth/requests/rq_1") == before + 1)
        }
    }

    /// - Parameter taken: the kernel takes an answer also when the peer has closed its end in good order.
    @Test(arguments: [false, true])
    func `H1-35 an ask whose id reached nobody is cancelled after 90 s`(taken: Bool) async throws {
        try await withGateway { gateway in
            let lost = Task { await gateway.ask(wait: 300, delivered: taken) }
            await gateway.untilPolling(waits: 1)
            lost.cancel()
            _ = await lost.value
            // Pruning, polling, and the patience with a lost caller.
            await gateway.untilPolling(waits: 1)
            gateway.clock.advance(by: .seconds(90))
            while gateway.mimiKey.count("POST /api/oauth/requests/rq_1/cancel") == 0 { await Task.yield() }
            #expect(gateway.mimiKey.cards[0].status == "cancelled")
        }
    }

    @Test func `an ask whose id reached somebody lives on when a later answer is lost`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let lost = Task { await gateway.ask(wait: 300, delivered: false) }
            await gateway.untilPolling(waits: 1)
            lost.cancel()
            #expect(await lost.value.string("id") == id)
            await gateway.untilPolling()
            gateway.clock.advance(by: .seconds(91))
            #expect(await gateway.look(id).state == "pending")
        }
    }

    @Test func `an error that the app reports ends the waits early, and the ask goes on`() async throws {
        try await withGateway { gateway in
            let made = await gateway.ask()
            let id = try #require(made.string("id"))
            let url = try #require(made.string("open_url"))
            let state = try #require(url.split(separator: "state=").last)
            let waiting = Task { await gateway.look(id, wait: 300) }
            await gateway.untilPolling(waits: 1)
            let page = await gateway.send(
                .get, "/callback?request_id=rq_1&state=\(state)&error=not_signed_in", token: nil)
            #expect(page.status == 200)
            let answer = await waiting.value
            #expect(answer.state == "pending")
            #expect(answer.error == "not_signed_in")
            #expect(answer.string("next_action") == "ask_user")
        }
    }

    @Test(arguments: ["not_signed_in", "request_not_found", "invalid_request"])
    func `what the app reported is told until the state changes, and the ask goes on`(error: String) async throws {
        try await withGateway { gateway in
            let asking = Task { await gateway.ask(wait: 300) }
            await gateway.untilPolling(waits: 1)
            let made = await gateway.ask()
            let id = try #require(made.string("id"))
            let state = try #require(made.string("open_url")?.split(separator: "state=").last)
            _ = await gateway.send(.get, "/callback?request_id=rq_1&state=\(state)&error=\(error)", token: nil)
            let told = await asking.value
            #expect(told.status == 202)
            #expect(told.error == error)
            #expect(told.string("next_action") == "ask_user")
            // A look that finds nothing new changes nothing.
            await gateway.poll()
            #expect(await gateway.look(id).error == error)
            gateway.mimiKey.end(0, "approved")
            await gateway.poll()
            while await gateway.look(id).state == "pending" { await Task.yield() }
            #expect(await gateway.look(id).error == nil)
        }
    }

    @Test func `at shutdown waits are answered at once, with the id to come back for, and nothing new is begun`()
        async throws
    {
        try await withGateway { gateway in
            let waiting = Task { await gateway.ask(wait: 300) }
            await gateway.untilPolling(waits: 1)
            await gateway.responder.drain()
            let answer = await waiting.value
            #expect(answer.status == 503)
            #expect(answer.error == "shutting_down")
            #expect(answer.string("ask_id")?.hasPrefix("ask_") == true)
            #expect(answer.fields.text("retry-after") == "5")
            let refused = await gateway.ask(#"{"op":"pick_item"}"#)
            #expect(refused.status == 503)
            #expect(refused.error == "shutting_down")
            #expect(refused.fields.contains("retry-after"))
            #expect(gateway.mimiKey.cards.count == 1)
        }
    }
}
