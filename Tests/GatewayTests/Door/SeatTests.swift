import Core
import Testing

@testable import Gateway

/// How many requests of a caller are answered at one time.
struct SeatTests {
    private static let one = TestGateway.Options(limits: "{ connections: 1 }")

    @Test func `a caller beyond its limit is told to come back, and no other caller notices`() async throws {
        try await withGateway(Self.one) { gateway in
            async let held = gateway.ask(wait: 20)
            await gateway.untilPolling(waits: 1)
            for (method, path) in [(HTTPMethod.get, "/v1/whoami"), (.post, "/v1/requests"), (.head, "/v1/whoami")] {
                let refused = await gateway.send(method, path, body: method == .post ? "{}" : nil)
                #expect(refused.status == 503)
                #expect(refused.error == "too_many_connections")
                #expect(refused.fields.text("retry-after") == "1")
                #expect(refused.json["retryable"]?.bool == true)
                #expect(refused.json["executed"]?.bool == false)
            }
            #expect(await gateway.send(.get, "/v1/whoami", token: TestGateway.otherToken).status == 200)
            for token in [nil, TestGateway.token] {
                #expect(await gateway.send(.get, "/readyz", token: token).status == 200)
            }
            #expect(await gateway.operate(.get, "/admin/grant").status == 200)
            gateway.mimiKey.approve()
            await gateway.poll(waits: 1)
            #expect(await held.status == 200)
            #expect(await gateway.send(.get, "/v1/whoami").status == 200)
        }
    }

    @Test func `a place is kept until the answer is over`() async throws {
        try await withGateway(Self.one) { gateway in
            var fields = HTTPFields()
            fields.append("host", "127.0.0.1:7447")
            fields.append("authorization", "Bearer \(TestGateway.token)")
            let head = RequestHead(method: .get, target: .origin(path: "/v1/whoami", query: nil), fields: fields)
            func respond() async -> HTTPResponse {
                await gateway.responder.respond(
                    to: HTTPRequest(head: head, peer: Peer(door: .tcp(TestGateway.address))))
            }
            // It is being written.
            let first = await respond()
            #expect(await respond().status == 503)
            first.delivered?(true)
            #expect(await respond().status == 200)
            // Given up without a word: the place is not lost with it.
            #expect(await respond().status == 200)
        }
    }

    @Test func `whatever becomes of a request, its place is free again`() async throws {
        try await withGateway(Self.one) { gateway in
            for _ in 0..<3 {
                #expect(await gateway.ask("{").status == 400)
                #expect(await gateway.ask(#"{"op":"get_item"}"#).status == 400)
                #expect(await gateway.look("ask_0123456789abcdefghijkl").status == 404)
                #expect(await gateway.ask(delivered: false).status == 202)
            }
            // The peer hangs up while the answer is held.
            let task = Task { await gateway.ask(#"{"op":"pick_item","hint":{"title":"y"}}"#, wait: 60) }
            await gateway.untilPolling(asks: 2, waits: 1)
            task.cancel()
            _ = await task.value
            #expect(await gateway.send(.get, "/v1/whoami").status == 200)
        }
    }

    @Test func `whoami tells the limit, which is 64 unless it is given`() async throws {
        try await withGateway(Self.one) { gateway in
            let own = await gateway.send(.get, "/v1/whoami").json["limits"]?["connections"]
            #expect(own?.integer == 1)
            let other = await gateway.send(.get, "/v1/whoami", token: TestGateway.otherToken)
            #expect(other.json["limits"]?["connections"]?.integer == 64)
        }
    }
}
