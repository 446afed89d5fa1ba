import Core
import Foundation
import Testing

/// `authorize` and `callback`: the link, the code for a camera, and a callback URL that arrived elsewhere.
@Suite(.timeLimit(.minutes(5))) struct AuthorizeTests {
    @Test func `UI-07 UI-08 a pasted callback ends the wait, and success is told once the grant is stored`()
        async throws
    {
        let stage = try await Stage(person: "after=0s", authorized: false, manners: .polite)
        let authorizing = try TerminalSession(["authorize"], in: stage.home)
        try await authorizing.says("paste the URL")
        try await authorizing.running.prints("\n")
        let link = authorizing.running.outputSoFar.trimmingCharacters(in: .newlines)
        #expect(link.hasPrefix("mimikey://authorize?"))
        #expect(Picture(in: authorizing.running.errorsSoFar)?.hasFinders == true)
        try authorizing.type("good morning\n")
        try await authorizing.says("that is no callback")
        try authorizing.type("http://127.0.0.1:7447/callback?code=x&state=of-another-login\n")
        try await authorizing.says("nothing waits for this callback")
        #expect(!authorizing.running.errorsSoFar.contains("authorized: "))
        try authorizing.type(" \(try await stage.callback(to: link)) \n")
        let finished = await authorizing.finished()
        #expect(finished.status == 0, "\(finished.errors)")
        #expect(finished.errors.contains("countersign: authorized: "))
        #expect(try await stage.home.countersign("status").status == 0)
        await stage.end()
    }

    @Test func `callback hands the gateway a URL of any scheme, by word or by standard input`() async throws {
        let stage = try await Stage(person: "after=0s", authorized: false, manners: .polite)
        for byWord in [true, false] {
            let authorizing = try stage.home.start("authorize")
            try await authorizing.says("waiting for the consent")
            try await authorizing.prints("\n")
            let link = authorizing.outputSoFar.trimmingCharacters(in: .newlines)
            let callback = try await stage.callback(to: link).replacing(
                /^.*\?/, with: "com.example.ai://mimikey/callback?")
            let handed =
                byWord
                ? try await stage.home.countersign("callback", callback)
                : try await Running("sh", ["-c", "echo '\(callback)' | countersign callback -"], in: stage.home)
                    .finished()
            #expect(handed.status == 0, "\(handed.errors)")
            #expect(handed.output.isEmpty)
            let finished = await authorizing.finished()
            #expect(finished.status == 0, "\(finished.errors)")
            let again = try await stage.home.countersign("callback", callback)
            #expect(again.status == 1)
            #expect(again.errors.contains("nothing waits for this callback"))
        }
        await stage.end()
    }

    @Test(arguments: [
        "http://127.0.0.1:7447/callback", "http://127.0.0.1:7447/callback?code=1", "mimikey://authorize?state=1",
        "state=1", "",
        "http://x/?state=a b", "x?state=1\nHost: y",
    ])
    func `what is no callback is a mistake on the command line`(word: String) async throws {
        let refused = try await Home().countersign("callback", word)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("that is no callback"))
    }

    @Test(arguments: [("dumb", 200), ("xterm", 60)])
    func `UI-04 a terminal that is dumb or narrow gets the link alone`(kind: String, columns: Int) async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        let authorizing = try TerminalSession(["authorize"], in: stage.home, kind: kind, columns: columns)
        try await authorizing.says("paste the URL")
        try authorizing.type("\u{3}")
        let finished = await authorizing.finished()
        #expect(finished.status == 130)
        #expect(finished.line.hasPrefix("mimikey://authorize?"))
        #expect(Picture(in: finished.errors) == nil && !finished.errors.contains("█"))
        await stage.end()
    }

    @Test func `with a program that opens the link no code is drawn, and what is typed is not taken`() async throws {
        let stage = try await Stage(person: "after=0s", authorized: false, manners: .polite)
        let authorizing = try TerminalSession(["authorize", "--open", "countersign sandbox open"], in: stage.home)
        try authorizing.type("curl http://127.0.0.1/\n")
        let finished = await authorizing.finished()
        #expect(finished.status == 0, "\(finished.errors)")
        #expect(!finished.errors.contains("no callback") && !finished.errors.contains("paste"))
        #expect(Picture(in: finished.errors) == nil)
        await stage.end()
    }

    @Test func `UI-04 without a terminal nothing is drawn, nothing read and nothing asked`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        let line = "echo 'http://127.0.0.1/callback?state=1' | countersign authorize"
        let authorizing = try Running("sh", ["-c", "\(line) & echo $! >&2; wait"], in: stage.home)
        try await authorizing.says("waiting for the consent")
        let pid = try #require(authorizing.errorsSoFar.split(separator: "\n").compactMap { Int32($0) }.first)
        kill(pid, SIGINT)
        let finished = await authorizing.finished()
        #expect(!finished.errors.contains("paste") && !finished.errors.contains("█"))
        #expect(!finished.errors.contains("nothing waits for this callback"))
        await stage.end()
    }
}

extension Stage {
    /// What MimiKey comes back with when the link is opened, without going there.
    func callback(to link: String) async throws -> String {
        let answer = try await control("open", #"{"url":"\#(link)"}"#)
        return try #require(answer.json?["callback"]?.string)
    }
}
