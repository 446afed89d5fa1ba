import Core
import Strongbox
import TestSupport
import Testing

@testable import Gateway

struct ListTests {
    private static func body(_ number: Int) -> String {
        #"{"op":"pick_item","hint":{"url":"https://s\#(number).example.com"}}"#
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer.json["requests"]?.elements.compactMap { $0["id"]?.string } ?? []
    }

    @Test func `a caller's asks are listed newest first, never with a result`() async throws {
        try await withGateway { gateway in
            let first = try #require(await gateway.ask(Self.body(0)).string("id"))
            gateway.mimiKey.approve()
            await gateway.poll()
            _ = await gateway.look(first, wait: 60, delivered: false)
            let second = try #require(await gateway.ask(Self.body(1)).string("id"))
            _ = await gateway.ask(Self.body(2), token: TestGateway.otherToken)
            let list = await gateway.send(.get, "/v1/requests")
            #expect(list.status == 200)
            #expect(Self.ids(list) == [second, first])
            #expect(list.json["next_cursor"]?.isNull == true)
            #expect(list.json["requests"]?.elements.last?["state"]?.string == "completed")
            #expect(list.json["requests"]?.elements.allSatisfy { $0["result"]?.isNull == true } == true)
            #expect(!list.text.contains("canary"))
            #expect(!list.text.contains("\"caller\""))
        }
    }

    @Test(arguments: [
        ("open", ["1"]), ("finished", ["0"]), ("pending", ["1"]), ("cancelled", ["0"]), ("completed", []),
    ])
    func `a state picks some`(_ state: String, _ expected: [String]) async throws {
        try await withGateway { gateway in
            var ids: [String: String] = [:]
            for number in 0..<2 { ids["\(number)"] = await gateway.ask(Self.body(number)).string("id") }
            _ = await gateway.cancel(try #require(ids["0"]))
            let list = await gateway.send(.get, "/v1/requests?state=\(state)")
            #expect(Self.ids(list) == expected.compactMap { ids[$0] })
        }
    }

    @Test func `pages follow each other by the cursor`() async throws {
        try await withGateway(.init(limits: "{ open: 7 }")) { gateway in
            var made: [String] = []
            for number in 0..<7 { made.append(try #require(await gateway.ask(Self.body(number)).string("id"))) }
            _ = await gateway.ask(token: TestGateway.otherToken)
            var seen: [String] = []
            var pages = 0
            var target = "/v1/requests?limit=3"
            while true {
                let page = await gateway.send(.get, target)
                seen += Self.ids(page)
                pages += 1
                guard let cursor = page.string("next_cursor") else { break }
                target = "/v1/requests?limit=3&cursor=\(cursor)"
            }
            #expect(seen == made.reversed())
            #expect(pages == 3)
        }
    }

    @Test func `a search for what is rare ends with a cursor, and finds it by that`() async throws {
        let lives = try await GatewayLives()
        @Sendable func ask(_ number: Int, _ state: AskState) -> Ask {
            let digits = String(number)
            let id = "ask_" + String(repeating: "0", count: 22 - digits.utf8.count) + digits
            return Ask(
                id: AskID(id)!, call: Call(caller: CallerName("agent")!, op: .pickItem), createdAt: lives.clock.wall,
                upstreamID: "rq_\(number)", state: state, callbackState: "s", finishedAt: lives.clock.wall)
        }
        try await lives.store.save(ask(0, .expired))
        for number in 1...1001 { try await lives.store.save(ask(number, .cancelled)) }
        try await lives.live { gateway in
            let first = await gateway.send(.get, "/v1/requests?state=expired")
            #expect(Self.ids(first) == [])
            let cursor = try #require(first.string("next_cursor"))
            let second = await gateway.send(.get, "/v1/requests?state=expired&cursor=\(cursor)")
            #expect(Self.ids(second) == [ask(0, .expired).id.rawValue])
            #expect(second.json["next_cursor"]?.isNull == true)
        }
    }

    @Test(arguments: [
        "states=open", "state=closed", "state=", "limit=0", "limit=101", "limit=1e1", "limit=", "cursor=x", "state=%zz",
        "state=open&state=open", "x",
    ])
    func `what the contract does not have is 400 and not repeated`(_ query: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/v1/requests?\(query)")
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_request")
            #expect(await gateway.operate(.get, "/admin/requests?\(query)").status == 400)
        }
    }

    @Test func `what ended a day ago is in no list, and 404`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            _ = await gateway.cancel(id)
            #expect(Self.ids(await gateway.send(.get, "/v1/requests")) == [id])
            gateway.clock.advance(by: .seconds(24 * 3600 + 1))
            #expect(Self.ids(await gateway.send(.get, "/v1/requests")) == [])
            #expect(await gateway.look(id).status == 404)
            #expect(await gateway.operate(.post, "/admin/requests/\(id)/forgive").status == 404)
        }
    }

    @Test func `the operator's list has everybody's, and whose each is`() async throws {
        try await withGateway { gateway in
            let mine = try #require(await gateway.ask().string("id"))
            let other = try #require(await gateway.ask(token: TestGateway.otherToken).string("id"))
            let list = await gateway.operate(.get, "/admin/requests")
            #expect(Self.ids(list) == [other, mine])
            #expect(list.json["requests"]?.elements.map { $0["caller"]?.string } == ["other", "agent"])
            let page = await gateway.operate(.get, "/admin/requests?limit=1&cursor=\(other)")
            #expect(Self.ids(page) == [mine])
        }
    }
}
