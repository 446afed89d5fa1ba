import Core
import Foundation
import Testing

/// The lines of the README, typed as they stand but for the ports.
@Suite(.timeLimit(.minutes(5))) struct TypedLinesTests {
    @Test func `an ask that waits is answered with the record`() async throws {
        let stage = try await Stage(person: "after=2s", manners: .polite)
        let answer = try await stage.ask(wait: 20)
        #expect(answer.status == 200)
        #expect(answer.state == "completed")
        #expect(answer.record?["username"]?.string?.isEmpty == false)
        #expect(answer.record?["password"]?.string?.isEmpty == false)
        #expect(answer.record?["notes"] == nil, "the rule does not let it out")
        await stage.end()
    }

    @Test func `an ask that does not wait is completed by a GET of its Location`() async throws {
        let stage = try await Stage(person: "after=2s", manners: .polite)
        let begun = try await stage.ask(wait: 0)
        #expect(begun.status == 202)
        #expect(begun.state == "pending")
        let location = try #require(begun.field("location"))
        let answer = try await stage.look(location, wait: 20)
        #expect(answer.status == 200)
        #expect(answer.state == "completed")
        #expect(answer.record?["password"]?.string?.isEmpty == false)
        await stage.end()
    }

    @Test func `authorize prints the link and tells the vaults`() async throws {
        let stage = try await Stage(person: "after=0s", authorized: false, manners: .polite)
        let before = try await stage.home.countersign("status")
        #expect(before.status == 5)
        let authorized = try await stage.authorize()
        #expect(authorized.status == 0, "\(authorized.errors)")
        #expect(authorized.line.hasPrefix("mimikey://authorize?"))
        #expect(authorized.errors.contains("countersign: authorized: "))
        let after = try await stage.home.countersign("status")
        #expect(after.status == 0, "\(after.errors)")
        #expect(after.output.contains("grant: active"))
        await stage.end()
    }

    @Test func `authorize may follow serve at once, as in a script`() async throws {
        let stage = try await Stage(person: "after=0s", authorized: false, manners: .polite)
        await stage.gateway.end()
        let again = try stage.home.start("serve")
        let authorized = try await stage.authorize()
        #expect(authorized.status == 0, "\(authorized.errors)")
        await again.end()
        await stage.end()
    }

    @Test func `an opener that fails is told while authorize goes on waiting`() async throws {
        let stage = try await Stage(person: "after=0s", authorized: false, manners: .polite)
        let authorizing = try stage.home.start("authorize", "--open", "false")
        try await authorizing.says("ended with status 1")
        authorizing.signal(SIGINT)
        #expect(await authorizing.finished().status == 130)
        await stage.end()
    }

    @Test func `SIGTERM ends the gateway with status 0, and its port is free again`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        #expect(await stage.gateway.end().status == 0)
        let again = try stage.home.start("serve")
        try await again.says("listening on http://127.0.0.1:\(stage.port)")
        #expect(await again.end().status == 0)
        await stage.end()
    }
}
