import Foundation
import Testing

/// How a token comes to a verb: by a file, by standard input or by a descriptor; never by a word that others can read.
@Suite(.timeLimit(.minutes(3))) struct TokenHandoverTests {
    @Test func `SE-10 a token comes by file, standard input or descriptor`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        let file = try stage.tokenFile()
        for (number, source) in [
            "--token-file \(file)", "--token-file - < \(file)", "--token-file /dev/fd/7 7< \(file)",
        ]
        .enumerated() {
            let line = """
                countersign pick --gateway http://127.0.0.1:\(stage.port) --url https://bank.example.com/\(number) \
                --field password \(source)
                """
            let finished = try await Running("bash", ["-c", line], in: stage.home).finished()
            #expect(finished.status == 0, "\(source): \(finished.errors)")
            #expect(finished.line == "sandbox-not-a-real-password-1")
        }
        let nothing = try await stage.home.countersign("pick", "--token-file", "-")
        #expect(nothing.status == 7)
        #expect(nothing.errors.contains("standard input holds no caller's token"))
        await stage.end()
    }

    @Test(arguments: [
        ["TOKEN"], ["pick", "TOKEN"], ["pick", "--token", "TOKEN"], ["pick", "--token=TOKEN"],
        ["pick", "--token-file", "TOKEN"], ["pick", "--token-file=TOKEN"], ["pick", "--reason", "my token is TOKEN."],
        ["caller", "new", "TOKEN"], ["serve", "--log", "debug", "TOKEN"], ["--help", "TOKEN"],
    ])
    func `SE-10 a token on the command line is refused, and not repeated`(words: [String]) async throws {
        let home = try Home()
        let token = "cs_" + String(repeating: "aB-_9", count: 8) + "xyz"
        let words = words.map { $0.replacing("TOKEN", with: token) }
        let finished = try await Running("countersign", words, in: home).finished()
        #expect(finished.status == 2)
        #expect(finished.output.isEmpty)
        #expect(finished.errors.contains("a caller's token stands on the command line"))
        #expect(finished.errors.contains("--token-file"))
        var search = Search([Canary("the token", token)])
        search.add(finished.errors, "standard error")
        let found = await search.found()
        #expect(found.isEmpty)
    }

    @Test func `SE-10 pick's help tells of the shell's history`() async throws {
        let help = try await Home().countersign("pick", "--help")
        #expect(help.output.contains("your shell's history"))
        #expect(help.output.contains("`-` is standard input"))
    }
}
