import Testing

@Suite(.timeLimit(.minutes(5))) struct HelpTests {
    static let verbs = [
        "init", "serve", "authorize", "callback", "status", "watch", "refresh", "revoke", "reset", "trust-key",
        "forgive",
        "pick", "get", "create", "update", "wait", "retry", "cancel", "requests", "vaults", "account", "caller new",
        "check", "demo", "sandbox", "sandbox open", "version",
    ]

    @Test func `the overview names every verb`() async throws {
        let help = try await Home().countersign("--help")
        #expect(help.status == 0)
        #expect(help.errors.isEmpty)
        for verb in Self.verbs { #expect(help.output.contains("\n  \(verb) "), "\(verb)") }
    }

    @Test(arguments: verbs) func `every verb explains itself`(verb: String) async throws {
        let words = verb.split(separator: " ").map(String.init)
        let help = try await Running("countersign", words + ["--help"], in: Home()).finished()
        #expect(help.status == 0)
        #expect(help.errors.isEmpty)
        #expect(help.output.hasPrefix("usage: countersign \(verb)"))
    }

    @Test(arguments: [
        [], ["fly"], ["caller"], ["serve", "--fly"], ["check", "--config"], ["check", "now"], ["caller", "new"],
        ["demo", "--once=yes"], ["check", "--config", "a", "--config", "b"],
    ])
    func `UI-03 a mistake on the command line is status 2, said on standard error`(words: [String]) async throws {
        let refused = try await Running("countersign", words, in: Home()).finished()
        #expect(refused.status == 2)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.hasPrefix("countersign: ") && refused.errors.contains("\nhint: "))
    }

    @Test func `the version is one line`() async throws {
        let version = try await Home().countersign("version")
        #expect(version.status == 0)
        #expect(version.line.wholeMatch(of: /countersign \d+\.\d+\.\d+/) != nil)
    }
}
