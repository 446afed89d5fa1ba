import Core
import Strongbox
import TestSupport
import Testing

@testable import Gateway

/// A refusal is not asked again by a loop, also over a restart.
struct RefusalTests {
    private let lives: GatewayLives

    init() async throws { lives = try await GatewayLives() }

    private static func body(_ number: Int) -> String {
        #"{"op":"pick_item","hint":{"url":"https://s\#(number).example.com"}}"#
    }

    /// Asks, and the person ends the card so.
    @discardableResult private static func ask(
        _ gateway: TestGateway, _ number: Int = 0, ending state: String, denyReason: String? = nil,
        token: String = TestGateway.token
    ) async throws -> String {
        let id = try #require(await gateway.ask(body(number), token: token).string("id"))
        gateway.mimiKey.end(gateway.mimiKey.cards.count - 1, state, denyReason: denyReason)
        async let over = gateway.look(id, wait: 60, token: token)
        await gateway.poll(waits: 1)
        #expect(await over.state == state)
        return id
    }

    private static func forgive(_ gateway: TestGateway, _ id: String) async -> Answer {
        await gateway.operate(.post, "/admin/requests/\(id)/forgive")
    }

    @Test func `the same wish within 10 minutes of a refusal is that ask, without a card`() async throws {
        try await lives.live { gateway in
            let id = try await Self.ask(gateway, ending: "denied")
            gateway.clock.advance(by: .seconds(597))
            let again = await gateway.ask(Self.body(0))
            #expect(again.status == 200)
            #expect(again.string("id") == id)
            #expect(again.state == "denied")
            #expect(again.json["joined"]?.bool == true)
            #expect(gateway.mimiKey.cards.count == 1)
            // Another caller, and another wish, are not concerned.
            #expect(await gateway.ask(Self.body(0), token: TestGateway.otherToken).status == 202)
            #expect(await gateway.ask(Self.body(1)).status == 202)
            gateway.clock.advance(by: .seconds(3))
            #expect(await gateway.ask(Self.body(0)).string("id") != id)
        }
    }

    @Test func `what expired or collided is asked anew`() async throws {
        try await lives.live { gateway in
            let expired = try await Self.ask(gateway, 0, ending: "expired")
            #expect(await gateway.ask(Self.body(0)).string("id") != expired)
            let conflict = try await Self.ask(gateway, 1, ending: "denied", denyReason: "conflict")
            #expect(await gateway.ask(Self.body(1)).string("id") != conflict)
        }
    }

    @Test func `a restart forgets no refusal, and none that was forgiven`() async throws {
        let ids = Shared<[String]>([])
        try await lives.live { gateway in
            for number in 0..<2 { ids.value.append(try await Self.ask(gateway, number, ending: "denied")) }
            #expect(await Self.forgive(gateway, ids.value[1]).status == 200)
        }
        lives.clock.advance(by: .seconds(500))
        try await lives.live { gateway in
            #expect(await gateway.ask(Self.body(0)).string("id") == ids.value[0])
            #expect(await gateway.ask(Self.body(1)).string("id") != ids.value[1])
            gateway.clock.advance(by: .seconds(100))
            #expect(await gateway.ask(Self.body(0)).string("id") != ids.value[0])
        }
    }

    @Test func `a lost answer is forgiven too`() async throws {
        try await lives.live { gateway in
            gateway.mimiKey.answerNext(
                "POST /api/oauth/requests", .failure(SendFailure(.closed, bytesMayHaveLeft: true)))
            let lost = await gateway.ask(Self.body(0))
            #expect(lost.error == "outcome_unknown")
            let id = try #require(lost.string("ask_id"))
            #expect(await gateway.ask(Self.body(0)).string("id") == id)
            #expect(await Self.forgive(gateway, id).error == "outcome_unknown")
            #expect(await gateway.ask(Self.body(0)).string("id") != id)
        }
    }

    private static func lose(_ gateway: TestGateway, _ number: Int) async -> Answer {
        gateway.mimiKey.answerNext(
            "POST /api/oauth/requests", .failure(SendFailure(.closed, bytesMayHaveLeft: true)))
        return await gateway.ask(body(number))
    }

    @Test func `after a hundred lost answers a caller, alone, makes no card until one is forgotten`() async throws {
        let first = Shared<String?>(nil)
        try await lives.live { gateway in
            first.value = await Self.lose(gateway, 0).string("ask_id")
            gateway.clock.advance(by: .seconds(100))
            for number in 1..<100 { #expect(await Self.lose(gateway, number).error == "outcome_unknown") }
            #expect(await gateway.ask(Self.body(100)).error == "cooling_down")
        }
        try await lives.live { gateway in
            let cold = await gateway.ask(Self.body(100))
            #expect(cold.status == 429)
            #expect(cold.error == "cooling_down")
            #expect(cold.fields.text("retry-after") == "500")
            #expect(gateway.mimiKey.count("POST /api/oauth/requests") == 100)
            // What is remembered is still found, and another caller is not concerned.
            #expect(await gateway.ask(Self.body(0)).string("id") == first.value)
            #expect(await gateway.ask(Self.body(100), token: TestGateway.otherToken).status == 202)
            _ = await Self.forgive(gateway, try #require(first.value))
            #expect(await gateway.ask(Self.body(100)).status == 202)
        }
    }

    @Test func `to forgive is idempotent, tells whose ask it was, and is nothing for an open one`() async throws {
        try await lives.live { gateway in
            let id = try await Self.ask(gateway, ending: "denied")
            for _ in 0..<2 {
                let answer = await Self.forgive(gateway, id)
                #expect(answer.status == 200)
                #expect(answer.string("id") == id)
                #expect(answer.string("caller") == "agent")
                #expect(answer.state == "denied")
            }
            let open = try #require(await gateway.ask(Self.body(0)).string("id"))
            #expect(open != id)
            #expect(await Self.forgive(gateway, open).state == "pending")
            #expect(try await gateway.store.ask(AskID(open)!)?.isForgiven == false)
            for unknown in ["ask_0123456789abcdefghijkl", "rq_1"] {
                let answer = await Self.forgive(gateway, unknown)
                #expect(answer.status == 404)
                #expect(answer.error == "not_found")
            }
        }
    }

    @Test func `AP-16 after three refusals in a minute a caller, alone, makes no card for five minutes`() async throws {
        try await lives.live { gateway in
            let open = try #require(await gateway.ask(Self.body(9)).string("id"))
            for number in 0..<3 { try await Self.ask(gateway, number, ending: "denied") }
            let cards = gateway.mimiKey.cards.count
            let cold = await gateway.ask(Self.body(5))
            #expect(cold.status == 429)
            #expect(cold.error == "cooling_down")
            #expect(cold.fields.text("retry-after") == "300")
            #expect(cold.string("next_action") == "ask_user")
            #expect(gateway.mimiKey.cards.count == cards)
            #expect(await gateway.ask(Self.body(9)).string("id") == open)
            #expect(await gateway.look(open).state == "pending")
            #expect(await gateway.ask(Self.body(5), token: TestGateway.otherToken).status == 202)
            gateway.clock.advance(by: .seconds(300))
            #expect(await gateway.ask(Self.body(5)).status == 202)
        }
    }

    @Test func `AP-16 a restart does not end the pause, and the operator can`() async throws {
        let ids = Shared<[String]>([])
        try await lives.live { gateway in
            for number in 0..<3 { ids.value.append(try await Self.ask(gateway, number, ending: "denied")) }
        }
        lives.clock.advance(by: .seconds(100))
        try await lives.live { gateway in
            let cold = await gateway.ask(Self.body(5))
            #expect(cold.error == "cooling_down")
            #expect(cold.fields.text("retry-after") == "200")
            _ = await Self.forgive(gateway, ids.value[1])
            #expect(await gateway.ask(Self.body(5)).status == 202)
        }
        try await lives.live { gateway in #expect(await gateway.ask(Self.body(6)).status == 202) }
    }
}
