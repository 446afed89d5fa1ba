import Core
import Testing

/// A gateway before a service with bad manners: what may come of an ask changes, what is promised does not.
@Suite(.timeLimit(.minutes(10))) struct RudeServiceTests {
    /// How an ask may end, or stand, when the service is rude.
    private static let states: Set = ["completed", "failed", "expired", "pending"]

    @Test func `no wish makes two cards and no refresh token is sent twice, whatever the service does`() async throws {
        let stage = try await Stage(person: "after=0s")
        let asks = 12
        var states: [String] = []
        for number in 0..<asks {
            if number % 4 == 3 { try await stage.control("access-tokens/expire") }
            let body =
                #"{"op":"pick_item","hint":{"url":"https://bank.example.com"},"reason":"wish \#(number)"}"#
            let answer = try await stage.ask(wait: 8, body: body)
            #expect(answer.status >= 200, "\(answer.body)")
            if let state = answer.json?["state"]?.string { states.append(state) }
            if let id = answer.json?["id"]?.string { _ = try await stage.withdraw(id) }
        }
        #expect(states.allSatisfy(Self.states.contains), "\(states)")
        #expect(try await stage.sandboxStatistic("requests_created") <= Int64(asks))
        #expect(try await stage.sandboxStatistic("refresh_tokens_reused") == 0)
        #expect(try await stage.sandboxStatistic("most_polls_of_a_request_in_a_second") <= 2)
        await stage.end()
    }

    @Test func `answers in another order and form, and a wrong Date, change nothing`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        for name in ["shuffled_members", "unknown_members", "date_off", "replica_lag", "short_life"] {
            try await stage.control("manners", #"{"name":"\#(name)","percent":100,"delay_scale_percent":1}"#)
        }
        for times in ["rfc3339", "fractions", "offset"] {
            try await stage.control(
                "shapes", #"{"wrapped":true,"padded_base64":true,"no_open_url":true,"times":"\#(times)"}"#)
            let answer = try await stage.ask(wait: 20)
            #expect(answer.json?["state"]?.string == "completed", "\(times): \(answer.body)")
        }
        await stage.end()
    }

    @Test func `the seed is said, and a bad one refused`() async throws {
        let home = try Home()
        let sandbox = try home.start("sandbox", "--listen", "127.0.0.1:0", "--rude=42")
        try await sandbox.says("the sandbox is rude, with the seed 42")
        await sandbox.end()
        for arguments in [["--rude=many"], ["--rude=-1"], ["--rude-delay-scale", "101"], ["--rude-delay-scale", "x"]] {
            let refused = try await Running("countersign", ["sandbox"] + arguments, in: home).finished()
            #expect(refused.status == 2)
        }
    }
}
