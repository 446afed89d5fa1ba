import Foundation
import Testing

/// What the verbs that ask have in common: the way in, the wait, Ctrl-C, what is printed.
@Suite(.timeLimit(.minutes(5))) struct AskingTests {
    private static let bank = ["--url", "https://bank.example.com"]

    @Test func `a pick that does not wait says its link once, and wait goes on`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.nobodyTaps()
        let token = try ["--token-file", stage.tokenFile()]
        let seen = try TerminalSession(["pick", "--wait", "0"] + Self.bank + token, in: stage.home)
        #expect(Picture(in: await seen.finished().errors)?.hasFinders == true)
        let picked = try await stage.run(["pick", "--wait", "0"] + Self.bank + token)
        #expect(picked.status == 9)
        #expect(picked.errors.matches(of: /mimikey:\/\/request\?/).count == 1, "\(picked.errors)")
        let id = try #require(picked.errors.firstMatch(of: /ask_[A-Za-z0-9_-]{22}/)).output
        let early = try await stage.run(["wait", String(id), "--wait", "0"] + token)
        #expect(early.status == 9)
        try await stage.control("person", #"{"script":"after=0s"}"#)
        try await stage.control(
            "open", #"{"url":"\#(try #require(picked.errors.firstMatch(of: /mimikey:\S+/)).output)"}"#)
        let waited = try await stage.run(["wait", String(id), "--field", "password"] + token)
        #expect(waited.status == 0, "\(waited.errors)")
        #expect(waited.line == "sandbox-not-a-real-password-1")
        await stage.end()
    }

    @Test func `UI-05 Ctrl-C says that the ask is cancelled, and a wait alone leaves it`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.nobodyTaps()
        let token = try ["--token-file", stage.tokenFile()]
        let picking = try TerminalSession(["pick"] + Self.bank + token, in: stage.home)
        try await picking.says("mimikey://request?")
        let id = try #require(
            try await stage.control("requests", get: true).body.firstMatch(of: /rq_[A-Za-z0-9_-]+/)
        ).output
        #expect(!id.isEmpty)
        try picking.type("\u{3}")
        let picked = await picking.finished()
        #expect(picked.status == 130)
        #expect(picked.errors.contains(/interrupted: the ask ask_\S+ is cancelled/), "\(picked.errors)")
        #expect(try await stage.control("requests", get: true).body.contains("cancelled"))

        let begun = try await stage.run(["pick", "--wait", "0"] + Self.bank + token)
        let ask = String(try #require(begun.errors.firstMatch(of: /ask_[A-Za-z0-9_-]{22}/)).output)
        let waiting = try stage.home.start("wait", ask, "--token-file", token[1])
        try await waiting.says("mimikey://request?")
        waiting.signal(SIGINT)
        let waited = await waiting.finished()
        #expect(waited.status == 130)
        #expect(waited.errors.contains("the ask \(ask) lives on"))
        let cancelled = try await stage.run(["cancel", ask] + token)
        #expect(cancelled.status == 0 && cancelled.line == "cancelled", "\(cancelled.errors)")
        await stage.end()
    }

    @Test func `an id that is none is a mistake, and one of nobody is not found`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        let token = try ["--token-file", stage.tokenFile()]
        for verb in ["wait", "cancel"] {
            #expect(try await stage.run([verb, "ask_1"] + token).status == 2)
            let unknown = try await stage.run([verb, "ask_1b2c3d4e5f6g7h8i9j0kLM"] + token)
            #expect(unknown.status == 1 && unknown.errors.contains("(not_found)"), "\(unknown.errors)")
        }
        await stage.end()
    }

    @Test func `S034 a caller's socket says who asks, and the environment says nothing`() async throws {
        let place = try SharedPlace()
        let socket = place.path("agent.sock")
        let stage = try await Stage(
            person: "after=0s", listen: "  - { unix: \(socket), caller: agent }", manners: .polite)
        let hostile = [
            "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy", "GATEWAY_URL",
        ].map { "\($0)=http://127.0.0.1:9" }
        let files = ["SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF"].map { "\($0)=/nonexistent" }
        for way in [
            ["--socket", socket], ["--token-file", try stage.tokenFile()],
        ] {
            let picked = try await Running(
                "env", hostile + files + ["countersign", "pick", "--field", "username"] + Self.bank + way,
                in: stage.home
            ).finished()
            #expect(picked.status == 0, "\(picked.errors)")
            #expect(!picked.line.isEmpty)
        }
        let byVariable = try await Running(
            "env", ["COUNTERSIGN_SOCKET=\(socket)", "countersign", "pick", "--field", "username"] + Self.bank,
            in: stage.home
        ).finished()
        #expect(byVariable.status == 0, "\(byVariable.errors)")
        let both = try await stage.run(["pick", "--socket", socket, "--token-file", "x"])
        #expect(both.status == 2)
        await stage.end()
    }

    @Test
    func `S034 UI-06 a socket of a stranger, a file that is none and the operator's are refused, each in its words`()
        async throws
    {
        let place = try SharedPlace()
        let socket = place.path("agent.sock")
        let stage = try await Stage(
            person: "after=0s", listen: "  - { unix: \(socket), caller: agent }", manners: .polite)
        try await stage.nobodyTaps()
        let operators = try await stage.run(["pick", "--socket", stage.home.state + "/run/admin.sock"] + Self.bank)
        #expect(operators.status == 1 && operators.errors.contains("it is the operator's"), "\(operators.errors)")
        let file = try stage.home.write("", to: "no-socket")
        let none = try await stage.run(["pick", "--socket", file])
        #expect(none.status == 7 && none.errors.contains("is no socket"))
        let missing = try await stage.run(["pick", "--socket", stage.home.directory + "/missing.sock"])
        #expect(missing.status == 1 && missing.errors.contains("nothing listens on"))

        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place.directory)
        let exposed = try await stage.run(["pick", "--socket", socket])
        #expect(
            exposed.status == 7 && exposed.errors.contains("other users can put a socket of theirs"),
            "\(exposed.errors)")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.directory)
        if OtherUser.isReal {
            chown(socket, OtherUser.id, OtherUser.id)
            let foreign = try await stage.run(["pick", "--wait", "0", "--socket", socket] + Self.bank)
            #expect(
                foreign.status == 7 && foreign.errors.contains("belongs to the user \(OtherUser.id)"),
                "\(foreign.errors)")
            let named = try await stage.run(
                ["pick", "--wait", "0", "--socket", socket, "--gateway-user", "\(OtherUser.id)"] + Self.bank)
            #expect(named.status == 9, "\(named.errors)")
        }
        await stage.end()
    }

    @Test func `UI-04 a reader that has gone is no failure`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        let file = try stage.tokenFile()
        let line = """
            (countersign pick --url https://bank.example.com --token-file \(file); echo "status $?" >&2) | true
            """
        let finished = try await Running("bash", ["-c", line], in: stage.home).finished()
        #expect(finished.errors.contains("status 0"), "\(finished.errors)")
        await stage.end()
    }
}

extension Stage {
    func run(_ arguments: [String]) async throws -> Finished {
        try await Running("countersign", arguments, in: home).finished()
    }

    func control(_ path: String, get: Bool) async throws -> CurlAnswer {
        try await home.curl("http://127.0.0.1:\(sandboxPort)/_sandbox/\(path)")
    }
}
