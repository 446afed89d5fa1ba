import Core
import TestSupport
import Testing

@testable import Gateway

/// What one caller can learn or do of another's: nothing, on every route there is.
struct IsolationTests {
    private enum Reach {
        /// The path names an ask: another's is answered as one that is not there.
        case ofOne(body: String?)
        /// It says something of its caller's asks: another's are not among them.
        case ofAll
        /// It makes an ask: the same wish of another caller is not joined.
        case making
        /// Nothing of any ask is in it.
        case apart
    }

    /// Every route for callers, and those for anybody; the operator's are closed to callers as a whole.
    private static let table: [String: Reach] = [
        "GET /healthz": .apart,
        "GET /readyz": .apart,
        "GET /openapi.yaml": .apart,
        "GET /callback": .apart,
        "GET /v1/whoami": .ofAll,
        "GET /v1/vaults": .apart,
        "GET /v1/account": .apart,
        "POST /v1/requests": .making,
        "GET /v1/requests": .ofAll,
        "GET /v1/requests/{id}": .ofOne(body: nil),
        "POST /v1/requests/{id}/retry": .ofOne(body: nil),
        "DELETE /v1/requests/{id}": .ofOne(body: nil),
    ]

    private static let unknown = "ask_0123456789abcdefghijkl"
    private static let other = TestGateway.otherToken

    /// Ways to send a request that change what it does.
    private static let manners: [[HTTPField]] = [
        [], [HTTPField("prefer", "wait=1")], [HTTPField("accept", "text/event-stream")],
        [HTTPField("if-none-match", "*"), HTTPField("prefer", "wait=1")],
    ]

    @Test func `every route is in the table, or the operator's`() {
        let routes = Routes.all.filter { $0.audience != .owner }.map { "\($0.method) \($0.path)" }
        #expect(Set(routes) == Set(Self.table.keys))
    }

    @Test(arguments: ["pending", "completed", "denied"])
    func `another caller's ask is as one that is not there`(state: String) async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let upstreamID = try #require(await gateway.look(id).string("upstream_id"))
            switch state {
            case "completed": gateway.mimiKey.approve()
            case "denied": gateway.mimiKey.end(0, "denied")
            default: break
            }
            if state != "pending" { await gateway.poll() }
            while await gateway.look(id, method: .head).fields.contains("etag") != (state == "pending") {
                await Task.yield()
            }
            // The first look at the account pins its identity key; later ones, whoever takes them, must not move it.
            #expect(await gateway.send(.get, "/v1/account").status == 200)
            #expect(await gateway.operate(.get, "/admin/grant").string("identity_key_fingerprint") != nil)
            let traces = try await gateway.traces()
            for route in Routes.all {
                let reach = Self.table["\(route.method) \(route.path)"]
                for method in route.answersHead ? [route.method, .head] : [route.method] {
                    for fields in Self.manners {
                        try await Self.check(
                            reach, method, route, id: id, upstreamID: upstreamID, fields: fields, gateway)
                    }
                }
            }
            #expect(try await gateway.traces() == traces)
            #expect(gateway.mimiKey.count("POST /api/oauth/requests/rq_1/cancel") == 0)
            #expect(await gateway.look(id, method: .head).status == 200)
            #expect(await gateway.send(.get, "/v1/requests").json["requests"]?.elements.first?.object(state) == true)
        }
    }

    private static func check(
        _ reach: Reach?, _ method: HTTPMethod, _ route: Route, id: String, upstreamID: String, fields: [HTTPField],
        _ gateway: TestGateway
    ) async throws {
        func send(_ id: String, _ body: String? = nil, query: String = "") async -> Answer {
            await gateway.send(
                method, route.path.replacing("{id}", with: id) + query, body: body, token: other, fields: fields)
        }
        switch reach {
        case .ofOne(let body):
            let theirs = await send(id, body)
            #expect(theirs.status == 404)
            #expect(theirs.withoutTrace == (await send(unknown, body)).withoutTrace, "\(method) \(route.path)")
        case .ofAll:
            let answer = await send(id)
            #expect(answer.status == 200)
            #expect(!answer.text.contains(id) && !answer.text.contains(upstreamID) && !answer.text.contains("agent"))
            if route.path == "/v1/requests" {
                let theirs = await send(id, query: "?cursor=\(id)")
                #expect(theirs.withoutTrace == (await send(id, query: "?cursor=\(unknown)")).withoutTrace)
            }
        case .making: break
        case .apart:
            let answer = await send(id)
            #expect(!answer.text.contains(id) && !answer.text.contains(upstreamID))
        case nil:
            #expect(route.audience == .owner)
            let theirs = await send(id)
            #expect(theirs.status == 404)
            #expect(!theirs.text.contains(id) && !theirs.text.contains(upstreamID))
        }
    }

    @Test func `the same wish of two callers is two asks, open or refused`() async throws {
        try await withGateway { gateway in
            let mine = try #require(await gateway.ask().string("id"))
            let theirs = await gateway.ask(token: Self.other)
            #expect(theirs.status == 202)
            #expect(theirs.json["joined"]?.bool == false)
            #expect(theirs.string("id") != mine)
            _ = await gateway.cancel(try #require(theirs.string("id")), token: Self.other)
            gateway.mimiKey.end(0, "denied")
            async let over = gateway.look(mine, wait: 60)
            await gateway.poll(waits: 1)
            #expect(await over.state == "denied")
            #expect(await gateway.ask(token: Self.other).json["joined"]?.bool == false)
        }
    }
}

extension JSONValue {
    fileprivate func object(_ state: String) -> Bool { self["state"]?.string == state }
}
