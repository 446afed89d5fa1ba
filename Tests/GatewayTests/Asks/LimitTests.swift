import Core
import TestSupport
import Testing

@testable import Gateway

struct LimitTests {
    private static func body(_ number: Int) -> String {
        #"{"op":"pick_item","hint":{"url":"https://s\#(number).example.com"}}"#
    }

    @Test func `a caller with three open asks gets no fourth`() async throws {
        try await withGateway { gateway in
            var ids: [String] = []
            for number in 0..<3 { ids.append(try #require(await gateway.ask(Self.body(number)).string("id"))) }
            let fourth = await gateway.ask(Self.body(3))
            #expect(fourth.status == 429)
            #expect(fourth.error == "too_many_pending")
            #expect(fourth.fields.text("retry-after") == "5")
            #expect(fourth.json["retryable"]?.bool == true)
            #expect(gateway.mimiKey.cards.count == 3)
            // Joining makes no card, and another caller has limits of its own.
            #expect(await gateway.ask(Self.body(1)).status == 202)
            #expect(await gateway.ask(Self.body(3), token: TestGateway.otherToken).status == 202)
            _ = await gateway.cancel(ids[0])
            #expect(await gateway.ask(Self.body(3)).status == 202)
        }
    }

    @Test func `AP-08 the gateway has a limit of its own, below MimiKey's`() async throws {
        #expect(GatewayLimits().open == 90)
        try await withGateway(.init(gatewayOpen: 2)) { gateway in
            #expect(await gateway.ask(Self.body(0)).status == 202)
            #expect(await gateway.ask(Self.body(1), token: TestGateway.otherToken).status == 202)
            let third = await gateway.ask(Self.body(2))
            #expect(third.status == 429)
            #expect(third.error == "too_many_pending")
            #expect(gateway.mimiKey.cards.count == 2)
        }
    }

    @Test func `AP-08 MimiKey's own word that there are too many stops every create for a while`() async throws {
        try await withGateway { gateway in
            let creates = { gateway.mimiKey.count("POST /api/oauth/requests") }
            let isFull = { gateway.mimiKey.refuseNext("POST /api/oauth/requests", status: 429, "too_many_requests") }
            for pause in [5, 10, 20] {
                isFull()
                let before = creates()
                let first = await gateway.ask(Self.body(0))
                #expect(first.status == 429)
                #expect(first.error == "too_many_requests")
                #expect(first.fields.text("retry-after") == "\(pause)")
                // Nobody asks meanwhile, whoever it is and whatever for.
                gateway.clock.advance(by: .seconds(2))
                for token in [TestGateway.token, TestGateway.otherToken] {
                    let second = await gateway.ask(Self.body(1), token: token)
                    #expect(second.error == "too_many_requests")
                    #expect(second.fields.text("retry-after") == "\(pause - 2)")
                }
                #expect(creates() == before + 1)
                gateway.clock.advance(by: .seconds(pause - 2))
            }
            #expect(await gateway.ask(Self.body(2)).status == 202)
            isFull()
            #expect(await gateway.ask(Self.body(3)).fields.text("retry-after") == "5")
            // Joining an open one makes no card.
            #expect(await gateway.ask(Self.body(2)).status == 202)
        }
    }

    @Test func `AP-08 its Retry-After counts`() async throws {
        try await withGateway { gateway in
            gateway.mimiKey.answerNext(
                "POST /api/oauth/requests",
                .success(
                    InboundResponse(
                        status: 429, fields: [HTTPField("retry-after", "33")],
                        body: Array(#"{"error":"too_many_requests"}"#.utf8))))
            #expect(await gateway.ask(Self.body(0)).fields.text("retry-after") == "33")
            gateway.clock.advance(by: .seconds(32))
            #expect(await gateway.ask(Self.body(0)).fields.text("retry-after") == "1")
            gateway.clock.advance(by: .seconds(1))
            #expect(await gateway.ask(Self.body(0)).status == 202)
        }
    }

    @Test func `whoami counts the open asks`() async throws {
        try await withGateway { gateway in
            _ = await gateway.ask(Self.body(0))
            _ = await gateway.ask(Self.body(1))
            #expect(await gateway.send(.get, "/v1/whoami").json["limits"]?["open_now"]?.integer == 2)
        }
    }
}
