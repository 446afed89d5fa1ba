import Core
import Foundation
import Testing

/// The verbs of callers: each operation, and the looks at what there is.
@Suite(.timeLimit(.minutes(5))) struct CallerVerbTests {
    private static let rules = """
              - ops: [pick_item, get_item, create_item]
                fields: all
              - ops: [update_item]
                vaults: [Personal]
                writes: [password]

        """

    private static func stage() async throws -> (Stage, way: [String]) {
        let stage = try await Stage(person: "after=0s", rules: rules, manners: .polite)
        return (stage, ["--token-file", try stage.tokenFile()])
    }

    private static func picked(_ stage: Stage, _ way: [String]) async throws -> (vault: String, item: String) {
        let picked = try await stage.run(
            ["pick", "--json", "--vault", "v_personal", "--url", "https://bank.example.com"] + way)
        #expect(picked.status == 0, "\(picked.errors)")
        let item = try JSONDocument(Array(picked.line.utf8)).root["result"]?["item"]
        return (try #require(item?["vault_id"]?.string), try #require(item?["id"]?.string))
    }

    @Test func `an item is read, changed by what standard input says, and read anew`() async throws {
        let (stage, way) = try await Self.stage()
        let (vault, item) = try await Self.picked(stage, way)
        let before = try await stage.run(["get", vault, item, "--field", "password", "--reason", "look"] + way)
        #expect(before.status == 0 && !before.line.isEmpty, "\(before.errors)")
        let line =
            "printf 'a new \"one\"\\n' | countersign update \(vault) \(item) --set password=- \(way.joined(separator: " "))"
        let updated = try await Running("sh", ["-c", line], in: stage.home).finished()
        #expect(updated.status == 0, "\(updated.errors)")
        #expect(updated.output.contains("item_id: \(item)\nrevision: "), "\(updated.output)")
        let after = try await stage.run(["get", vault, item, "--field", "password"] + way)
        #expect(after.line == "a new \"one\"", "\(after.errors)")
        await stage.end()
    }

    @Test func `a value is typed unseen where there is a terminal`() async throws {
        let (stage, way) = try await Self.stage()
        let (vault, item) = try await Self.picked(stage, way)
        let session = try TerminalSession(
            ["update", vault, item, "--set", "password=-", "--json"] + way, in: stage.home)
        try await session.says("type password")
        try session.type("typed-and-unseen\n")
        let updated = await session.finished()
        #expect(updated.status == 0, "\(updated.errors)")
        #expect(!updated.errors.contains("typed-and-unseen") && !updated.output.contains("typed-and-unseen"))
        let after = try await stage.run(["get", vault, item, "--field", "password"] + way)
        #expect(after.line == "typed-and-unseen", "\(after.errors)")
        await stage.end()
    }

    @Test func `SE-10 a value on the command line is refused before the gateway is asked`() async throws {
        let home = try Home()
        for word in ["--set=password=hunter2-literal", "password=hunter2-literal"] {
            let refused = try await home.countersign("update", "v_1", "it_1", word)
            #expect(refused.status == 2)
            #expect(refused.output.isEmpty && !refused.errors.contains("hunter2"), "\(refused.errors)")
        }
        let hinted = try await home.countersign("update", "v_1", "it_1", "--set", "password=hunter2-literal")
        #expect(hinted.errors.contains("hint: `--set password=@FILE`"), "\(hinted.errors)")
    }

    @Test func `a new item comes back, or is saved where the grant does not reach`() async throws {
        let (stage, way) = try await Self.stage()
        let create = ["create", "--kind", "login", "--vault", "v_personal", "--username", "kim"]
        let made = try await stage.run(create + ["--url", "https://new.example.com", "--title", "New"] + way)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("username: kim"), "\(made.output)")
        try await stage.nobodyTaps()
        let waiting = try stage.home.start(
            "create", "--kind", "login", "--vault", "v_personal", "--url", "https://other.example.com", way[0], way[1])
        try await waiting.says("mimikey://request?")
        let id = try #require(waiting.errorsSoFar.firstMatch(of: /request_id=([A-Za-z0-9_-]+)/)).1
        try await stage.control("requests/\(id)/save_outside")
        let saved = await waiting.finished()
        #expect(saved.status == 0 && saved.line == "saved_out_of_scope: true", "\(saved.errors)")
        #expect(try await stage.run(["create"] + way).status == 2, "without a kind")
        await stage.end()
    }

    @Test func `UI-03 requests, vaults and account are listed, as lines and as JSON`() async throws {
        let (stage, way) = try await Self.stage()
        let first = try await stage.run(["pick", "--json", "--url", "https://bank.example.com"] + way)
        try await stage.nobodyTaps()
        let second = try await stage.run(["pick", "--json", "--wait", "0", "--url", "https://shop.example.com"] + way)
        #expect(first.status == 0 && second.status == 9)
        let ids = try [second, first].map { try #require(try JSONDocument(Array($0.line.utf8)).root["id"]?.string) }
        let listed = try await stage.run(["requests"] + way)
        let lines = listed.output.split(separator: "\n")
        #expect(lines.map { String($0.prefix(26)) } == ids, "\(listed.output) \(listed.errors)")
        #expect(lines.first?.contains("  pending    pick_item  ") == true, "\(listed.output)")
        let open = try await stage.run(["requests", "--state", "open", "--all", "--json"] + way)
        let list = try JSONDocument(Array(open.line.utf8)).root["requests"]?.elements ?? []
        #expect(list.compactMap { $0["id"]?.string } == [ids[0]])
        #expect(try await stage.run(["requests", "--state", "sleeping"] + way).status == 2)

        let vaults = try await stage.run(["vaults"] + way)
        #expect(vaults.output.contains("v_personal  ask  Personal\n"), "\(vaults.output) \(vaults.errors)")
        let account = try await stage.run(["account"] + way)
        #expect(account.status == 0 && !account.line.isEmpty && !account.line.contains("{"), "\(account.errors)")
        let json = try await stage.run(["account", "--json"] + way)
        #expect(try JSONDocument(Array(json.line.utf8)).root["account_id"]?.string == account.line)
        await stage.end()
    }

    @Test func `retry shows the card again, not more often than it may`() async throws {
        let (stage, way) = try await Self.stage()
        try await stage.nobodyTaps()
        let begun = try await stage.run(["pick", "--wait", "0", "--url", "https://bank.example.com"] + way)
        let id = String(try #require(begun.errors.firstMatch(of: /ask_[A-Za-z0-9_-]{22}/)).output)
        let retried = try await stage.run(["retry", id] + way)
        #expect(retried.status == 0 && retried.line == "pending", "\(retried.errors)")
        #expect(retried.errors.contains("mimikey://request?"))
        let soon = try await stage.run(["retry", id] + way)
        #expect(soon.status == 6, "\(soon.errors)")
        #expect(try await stage.run(["cancel", id] + way).line == "cancelled")
        let over = try await stage.run(["retry", id] + way)
        #expect(over.status == 1 && over.errors.contains("(nothing_pending)"), "\(over.errors)")
        await stage.end()
    }
}
