import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct InitTests {
    private static func initialise(_ home: Home, _ more: String...) async throws -> Finished {
        let arguments = ["init", "--origin", "http://127.0.0.1:7448", "--client-id", "pmc_sandbox"] + more
        return try await Running("countersign", arguments, in: home).finished()
    }

    @Test func `the token stands on standard output and nowhere else`() async throws {
        let home = try Home()
        let made = try await Self.initialise(home)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.line.wholeMatch(of: /cs_[A-Za-z0-9_-]{43}/) != nil)
        #expect(!made.errors.contains(made.line))
        let configuration = try home.text(home.configuration)
        #expect(!configuration.contains(made.line))
        #expect(configuration.contains(/tokens: \[sha256:[0-9a-f]{64}\]/))
    }

    @Test func `what it writes is ours alone, and right`() async throws {
        let home = try Home()
        _ = try await Self.initialise(home)
        #expect(try home.mode(home.configuration) == 0o600)
        #expect(try home.mode((home.configuration as NSString).deletingLastPathComponent) == 0o700)
        #expect(try home.mode(home.state) == 0o700)
        #expect(try await home.countersign("check").status == 0)
    }

    @Test func `a second one refuses and leaves the first as it is`() async throws {
        let home = try Home()
        _ = try await Self.initialise(home)
        let first = try home.text(home.configuration)
        let second = try await Self.initialise(home, "--caller", "other")
        #expect(second.status == 7)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("hint: "))
        #expect(try home.text(home.configuration) == first)
    }

    @Test func `options find their place in the file`() async throws {
        let home = try Home()
        let file = home.directory + "/elsewhere/c.yaml"
        let made = try await Self.initialise(
            home, "--caller", "shop-bot", "--host", "*.shop.example", "--host", "bank.example.com", "--port", "8001",
            "--config", file, "--state", home.directory + "/kept here")
        #expect(made.status == 0, "\(made.errors)")
        let text = try home.text(file)
        #expect(text.contains("shop-bot:") && text.contains(#"hosts: ["*.shop.example", bank.example.com]"#))
        #expect(text.contains("127.0.0.1:8001"))
        #expect(try await home.countersign("check", "--config", file).status == 0)
    }

    @Test(arguments: [
        ["--origin", "http://mimikey.example"], ["--origin", "nonsense"], ["--caller", "Not A Name"], ["--port", "0"],
        ["--host", "a b"],
    ])
    func `what would not work is a mistake on the command line`(option: [String]) async throws {
        let home = try Home()
        var arguments = ["init", "--client-id", "pmc_sandbox"] + option
        if option[0] != "--origin" { arguments += ["--origin", "http://127.0.0.1:7448"] }
        let refused = try await Running("countersign", arguments, in: home).finished()
        #expect(refused.status == 2, "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.configuration))
    }

    @Test func `another caller's token and lines can be pasted`() async throws {
        let home = try Home()
        _ = try await Self.initialise(home)
        let made = try await home.countersign("caller", "new", "shop-bot")
        #expect(made.status == 0)
        #expect(made.line.hasPrefix("cs_"))
        let lines = made.errors.split(separator: "\n").filter { $0.hasPrefix("  ") }.joined(separator: "\n")
        let file = try home.write(try home.text(home.configuration) + lines + "\n", to: "both.yaml")
        let checked = try await home.countersign("check", "--config", file)
        #expect(checked.status == 0, "\(checked.errors)")
    }
}
