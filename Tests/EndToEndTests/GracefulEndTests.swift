import Core
import Foundation
import Testing

/// SIGTERM while MimiKey owes an answer: the gateway ends once it knows the outcome.
@Suite(.timeLimit(.minutes(5))) struct GracefulEndTests {
    @Test func `TK-17 a token refresh that is under way is stored before the gateway ends`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        try await stage.control("access-tokens/expire")
        try await stage.control("faults", #"{"name":"delay_next","path":"/api/oauth/token","ms":1500}"#)
        async let asked = stage.ask(wait: 0)
        try await stage.untilSandbox(counts: 1, of: "refreshes")
        #expect(await stage.gateway.end().status == 0)
        _ = try await asked

        let again = try await stage.serveAgain()
        let status = try await stage.home.countersign("status")
        #expect(status.output.contains("grant: active"), "\(status.output)")
        #expect(try await stage.ask(wait: 0).status == 202)
        #expect(try await stage.sandboxStatistic("refreshes") == 1)
        await again.end()
        await stage.end()
    }

    @Test func `a card that is being made is written down before the gateway ends`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        try await stage.control("faults", #"{"name":"delay_next","path":"/api/oauth/requests","ms":1500}"#)
        async let asked = stage.ask(wait: 0)
        try await stage.untilSandbox(counts: 1, of: "requests_created")
        #expect(await stage.gateway.end().status == 0)
        // Told that the gateway ends, unless it was so slow to end that MimiKey had not answered for 2 s.
        let answer = try await asked.json
        let id = try #require(answer?["ask_id"]?.string ?? answer?["id"]?.string)

        let again = try await stage.serveAgain()
        let pending = try await stage.look("/v1/requests/\(id)", wait: 0)
        #expect(pending.state == "pending", "\(pending.body)")
        let upstreamID = try #require(pending.json?["upstream_id"]?.string)
        try await stage.control("requests/\(upstreamID)/approve")
        #expect(try await stage.look("/v1/requests/\(id)", wait: 20).state == "completed")
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        await again.end()
        await stage.end()
    }

    @Test func `who waits is answered at once, with the id to come back for`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        let begun = try await stage.ask(wait: 0)
        let id = try #require(begun.json?["id"]?.string)
        async let waiting = stage.look("/v1/requests/\(id)", wait: 60)
        try await stage.untilSandbox(counts: 2, of: "polls")
        #expect(await stage.gateway.end().status == 0)
        let answer = try await waiting
        #expect(answer.status == 503)
        #expect(answer.json?["error"]?.string == "shutting_down")
        #expect(answer.json?["ask_id"]?.string == id)
        #expect(answer.field("retry-after") == "5")
        await stage.end()
    }
}
