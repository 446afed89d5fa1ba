import Core
import Foundation
import Testing

/// Many at once.
@Suite(.timeLimit(.minutes(5))) struct LoadTests {
    @Test func `50 asks at once with an expired access token make one refresh and 50 cards`() async throws {
        let stage = try await Stage(person: "after=1s", open: 60, manners: .polite)
        try await stage.control("access-tokens/expire")
        let states = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 1...50 {
                group.addTask {
                    let body =
                        #"{"op":"pick_item","hint":{"url":"https://site\#(number).example.com"},"reason":"load"}"#
                    let answer = try await stage.ask(wait: 60, body: body)
                    return answer.record?["password"] == nil ? "no password: \(answer.body)" : answer.state
                }
            }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(states.count == 50)
        #expect(states.allSatisfy { $0 == "completed" }, "\(states.filter { $0 != "completed" })")
        #expect(try await stage.sandboxStatistic("refreshes") == 1)
        #expect(try await stage.sandboxStatistic("requests_created") == 50)
        await stage.end()
    }

    @Test func `one ask more than the caller may have open is refused before a card is made`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        for number in 1...3 {
            let body = #"{"op":"pick_item","hint":{"url":"https://site\#(number).example.com"}}"#
            #expect(try await stage.ask(wait: 0, body: body).status == 202)
        }
        let refused = try await stage.ask(
            wait: 0, body: #"{"op":"pick_item","hint":{"url":"https://site4.example.com"}}"#)
        #expect(refused.status == 429)
        #expect(refused.json?["error"]?.string == "too_many_pending")
        #expect(refused.field("retry-after") != nil)
        #expect(try await stage.sandboxStatistic("requests_created") == 3)
        await stage.end()
    }

    @Test func `the same wish at the same moment makes one card`() async throws {
        let stage = try await Stage(person: "after=1s", manners: .polite)
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 1...10 { group.addTask { try await stage.ask(wait: 30).json?["id"]?.string } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1 && ids.first != .some(nil))
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        await stage.end()
    }
}
