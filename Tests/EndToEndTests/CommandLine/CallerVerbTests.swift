import Core
import Foundation
import Testing

/// The verbs of callers: each operation, and the looks at what there is.
@Suite(.timeLimit(.minutes(5))) struct CallerVerbTests {
    @Test func `UI-03 requests are listed, as lines and as JSON`() async throws {
        let stage = try await Stage(person: "after=0s")
        let way = try ["--token-file", stage.tokenFile()]
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
        await stage.end()
    }

    @Test func `retry shows the card again, not more often than it may`() async throws {
        let stage = try await Stage(person: "after=0s")
        let way = try ["--token-file", stage.tokenFile()]
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
