import Core
import Foundation
import Testing

/// A gateway that is killed comes back with the asks that were open.
@Suite(.timeLimit(.minutes(5))) struct RestartTests {
    @Test func `an ask that was pending when the gateway was killed is completed under its id, by its one card`()
        async throws
    {
        let stage = try await Stage(person: "none", manners: .polite)
        let begun = try await stage.ask(wait: 0)
        #expect(begun.status == 202)
        let id = try #require(begun.json?["id"]?.string)
        let upstreamID = try #require(begun.json?["upstream_id"]?.string)

        stage.gateway.signal(SIGKILL)
        #expect(await stage.gateway.finished().status == -SIGKILL)
        let again = try await stage.serveAgain()

        let pending = try await stage.look("/v1/requests/\(id)", wait: 0)
        #expect(pending.state == "pending")
        try await stage.control("requests/\(upstreamID)/approve")
        let completed = try await stage.look("/v1/requests/\(id)", wait: 20)
        #expect(completed.state == "completed")
        #expect(completed.json?["id"]?.string == id)
        #expect(completed.record?["password"]?.string?.isEmpty == false)
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        await again.end()
        await stage.end()
    }

    @Test func `the same wish after a kill joins the ask that is open`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        let begun = try await stage.ask(wait: 0)
        stage.gateway.signal(SIGKILL)
        _ = await stage.gateway.finished()
        let again = try await stage.serveAgain()
        let joined = try await stage.ask(wait: 0)
        #expect(joined.json?["id"]?.string == begun.json?["id"]?.string)
        #expect(joined.json?["joined"]?.bool == true)
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        await again.end()
        await stage.end()
    }

    @Test func `a result that was not delivered before a kill is fetched again`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        let begun = try await stage.ask(wait: 0)
        let id = try #require(begun.json?["id"]?.string)
        try await stage.control("requests/\(try #require(begun.json?["upstream_id"]?.string))/approve")
        try await stage.gateway.says(#""message":"ask ended""#)
        stage.gateway.signal(SIGKILL)
        _ = await stage.gateway.finished()
        let again = try await stage.serveAgain()
        let completed = try await stage.look("/v1/requests/\(id)", wait: 20)
        #expect(completed.record?["password"]?.string?.isEmpty == false)
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        await again.end()
        await stage.end()
    }
}
