import Core
import Synchronization
import TestSupport
import Testing

@testable import Gateway

struct RetryTests {
    private static func retry(_ gateway: TestGateway, _ id: String) async -> Answer {
        await gateway.send(.post, "/v1/requests/\(id)/retry")
    }

    @Test func `the card is shown again and looked at at once, every 10 s at most`() async throws {
        let shown = Mutex(0)
        let open: @Sendable (String) async -> Bool = { _ in
            shown.withLock { $0 += 1 }
            return true
        }
        try await withGateway(.init(open: open)) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let polled = { gateway.mimiKey.count("GET /api/oauth/requests/rq_1") }
            await gateway.untilPolling()
            let before = polled()
            let answer = await Self.retry(gateway, id)
            #expect(answer.status == 200)
            #expect(answer.state == "pending")
            while shown.withLock({ $0 }) < 2 { await Task.yield() }
            // An early look comes 1 s after the last answer, not 2.
            await gateway.clock.untilSleepers { $0.contains { $0 <= .seconds(1) } }
            gateway.clock.advance(by: .seconds(1))
            while polled() == before { await Task.yield() }

            let again = await Self.retry(gateway, id)
            #expect(again.status == 429)
            #expect(again.error == "too_soon")
            #expect(again.fields.text("retry-after") == "9")
            #expect(again.string("ask_id") == id)
            gateway.clock.advance(by: .seconds(9))
            #expect(await Self.retry(gateway, id).status == 200)
        }
    }

    @Test func `it takes away what the app reported`() async throws {
        try await withGateway { gateway in
            let made = await gateway.ask()
            let id = try #require(made.string("id"))
            let state = try #require(made.string("open_url")?.split(separator: "state=").last)
            _ = await gateway.send(.get, "/callback?request_id=rq_1&state=\(state)&error=not_signed_in", token: nil)
            #expect(await gateway.look(id).error == "not_signed_in")
            let answer = await Self.retry(gateway, id)
            #expect(answer.error == nil)
            #expect(answer.string("next_action") == "wait")
        }
    }

    @Test func `a finished ask has nothing to show`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            _ = await gateway.cancel(id)
            let answer = await Self.retry(gateway, id)
            #expect(answer.status == 409)
            #expect(answer.error == "nothing_pending")
        }
    }
}
