import Core
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExitStatusTests {
    private static func pick(_ stage: Stage, _ more: String...) async throws -> Finished {
        let arguments = try ["pick", "--token-file", stage.tokenFile(), "--url", "https://bank.example.com"] + more
        return try await Running("countersign", arguments, in: stage.home).finished()
    }

    @Test func `UI-03 a pick prints the field alone and ends with 0`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        let picked = try await Self.pick(stage, "--field", "password", "--reason", "reconcile")
        #expect(picked.status == 0, "\(picked.errors)")
        let whole = try await stage.ask(wait: 20)
        #expect(picked.line == whole.record?["password"]?.string)
        await stage.end()
    }

    @Test func `UI-03 a refusal of the person is status 3`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        _ = try await stage.home.curl(
            "--json", #"{"script":"deny"}"#, "http://127.0.0.1:\(stage.sandboxPort)/_sandbox/person")
        let picked = try await Self.pick(stage)
        #expect(picked.status == 3, "\(picked.errors)")
        #expect(picked.output.isEmpty)
        await stage.end()
    }

    @Test func `UI-03 no grant is status 5`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        #expect(try await Self.pick(stage).status == 5)
        await stage.end()
    }

    @Test func `UI-03 an ask that nobody has answered yet is status 9`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.nobodyTaps()
        let picked = try await Self.pick(stage, "--wait", "0")
        #expect(picked.status == 9, "\(picked.errors)")
        await stage.end()
    }

    @Test func `UI-03 what no rule allows is status 10`() async throws {
        let stage = try await Stage(person: "after=0s", hosts: ["shop.example"], manners: .polite)
        #expect(try await Self.pick(stage).status == 10)
        await stage.end()
    }

    @Test func `UI-05 Ctrl-C takes the ask back and is status 130`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.nobodyTaps()
        let picking = try stage.home.start(
            "pick", "--token-file", stage.tokenFile(), "--url", "https://bank.example.com")
        try await picking.says("mimikey://request?")
        picking.signal(SIGINT)
        #expect(await picking.finished().status == 130)
        let requests = try await stage.home.curl("http://127.0.0.1:\(stage.sandboxPort)/_sandbox/requests")
        #expect(requests.body.contains("cancelled"), "\(requests.body)")
        await stage.end()
    }

    @Test func `UI-03 a configuration that is not there, or not right, is status 7`() async throws {
        let home = try Home()
        #expect(try await home.countersign("check").status == 7)
        #expect(try await home.countersign("serve").status == 7)
        let file = try home.write("listen: 7\nsurprise: yes\n", to: "wrong.yaml")
        let checked = try await home.countersign("check", "--config", file)
        #expect(checked.status == 7)
        #expect(checked.errors.contains("wrong.yaml:2:1"), "every problem, with its place: \(checked.errors)")
    }

    @Test func `UI-06 a gateway that does not run is said so`() async throws {
        let home = try Home()
        _ = try await home.countersign("init", "--origin", "http://127.0.0.1:7448", "--client-id", "pmc_sandbox")
        let status = try await home.countersign("status")
        #expect(status.status == 1)
        #expect(status.errors.contains("the gateway is not running"))
    }

    @Test func `LC-02 a port that is taken is status 7, with a hint`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        let other = try Home()
        let made = try await other.countersign(
            "init", "--origin", "http://127.0.0.1:7448", "--client-id", "pmc_sandbox", "--port", "\(stage.port)")
        #expect(made.status == 0)
        let second = try await other.countersign("serve")
        #expect(second.status == 7, "\(second.errors)")
        #expect(second.errors.contains("\nhint: "))
        await stage.end()
    }
}

extension Stage {
    /// From now on the person answers no card.
    func nobodyTaps() async throws {
        _ = try await home.curl(
            "--json", #"{"script":"none"}"#, "http://127.0.0.1:\(sandboxPort)/_sandbox/person")
    }
}
