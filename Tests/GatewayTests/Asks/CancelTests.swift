import Core
import TestSupport
import Testing

@testable import Gateway

struct CancelTests {
    @Test func `taking back is idempotent and reaches MimiKey once`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            for _ in 0..<3 {
                let answer = await gateway.cancel(id)
                #expect(answer.status == 200)
                #expect(answer.state == "cancelled")
                #expect(answer.string("next_action") == "stop")
            }
            #expect(gateway.mimiKey.cards[0].status == "cancelled")
            #expect(gateway.mimiKey.count("POST /api/oauth/requests/rq_1/cancel") == 1)
        }
    }

    @Test func `what the person did first stands`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            gateway.mimiKey.approve()
            let answer = await gateway.cancel(id)
            #expect(answer.state == "completed")
            #expect(answer.json["result"]?.isNull == true)
        }
    }

    @Test func `a mute MimiKey is given 15 s, and the card is tried again in the background`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let cancel = "POST /api/oauth/requests/rq_1/cancel"
            gateway.mimiKey.mute(cancel)
            let cancelling = Task { await gateway.cancel(id) }
            await gateway.clock.untilSleepers { $0.contains(.seconds(15)) }
            gateway.clock.advance(by: .seconds(15))
            #expect(await cancelling.value.state == "cancelled")
            await gateway.clock.untilSleepers { $0.contains(.seconds(5)) }
            #expect(gateway.logText.contains("card not taken back yet"))
            gateway.mimiKey.mute(nil)
            gateway.clock.advance(by: .seconds(5))
            while gateway.mimiKey.cards[0].status != "cancelled" { await Task.yield() }
            #expect(gateway.mimiKey.count(cancel) == 2)
        }
    }

    @Test func `SG-10 a card whose polling was given up is taken back, not answered for nobody`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            await gateway.untilPolling(waits: 0)
            for _ in 0..<2 {
                gateway.mimiKey.refuseNext("GET /api/oauth/requests/rq_1", status: 401, "nonce_replayed")
            }
            async let over = gateway.look(id, wait: 60)
            await gateway.poll(waits: 1)
            let failed = await over
            #expect(failed.state == "failed")
            #expect(failed.error == "nonce_replayed")
            while gateway.mimiKey.cards[0].status != "cancelled" { await Task.yield() }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a card that MimiKey does not find yet is taken back a little later`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            gateway.mimiKey.refuseNext(Self.cancel, status: 404, "request_not_found")
            #expect(await gateway.cancel(id).state == "cancelled")
            #expect(gateway.mimiKey.cards[0].status == "pending")
            await gateway.clock.untilSleepers { $0.contains(.seconds(5)) }
            gateway.clock.advance(by: .seconds(5))
            while gateway.mimiKey.cards[0].status != "cancelled" { await Task.yield() }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `one that it never finds is no card`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            for _ in 0..<3 { gateway.mimiKey.refuseNext(Self.cancel, status: 404, "request_not_found") }
            #expect(await gateway.cancel(id).state == "cancelled")
            for pause in [5, 10] {
                await gateway.clock.untilSleepers { $0.contains(.seconds(pause)) }
                gateway.clock.advance(by: .seconds(pause))
            }
            while !gateway.logText.contains("info card taken back") { await Task.yield() }
            #expect(gateway.mimiKey.count(Self.cancel) == 3)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a card that has become another ask's meanwhile is left to it`() async throws {
        try await withGateway(.init(rules: "      - { ops: [create_item], fields: all }")) { gateway in
            let body = #"{"op":"create_item","kind":"login","prefill":{"url":"https://new.example"}}"#
            let first = try #require(await gateway.ask(body).string("id"))
            gateway.mimiKey.answerNext(Self.cancel, .success(InboundResponse(status: 502)))
            #expect(await gateway.cancel(first).state == "cancelled")
            // MimiKey joins new items of one vault and host.
            let joined = #"{"id":"rq_1","op":"create_item","status":"pending"}"#
            gateway.mimiKey.answerNext(
                "POST /api/oauth/requests", .success(InboundResponse(status: 200, body: Array(joined.utf8))))
            let second = try #require(await gateway.ask(body).string("id"))
            #expect(second != first)
            await gateway.clock.untilSleepers { $0.contains(.seconds(5)) }
            gateway.clock.advance(by: .seconds(5))
            while !gateway.logText.contains("another ask has it now"), gateway.mimiKey.count(Self.cancel) < 2 {
                await Task.yield()
            }
            #expect(gateway.mimiKey.count(Self.cancel) == 1)
            #expect(gateway.mimiKey.cards[0].status == "pending")
            #expect(await gateway.look(second).state == "pending")
        }
    }

    private static let cancel = "POST /api/oauth/requests/rq_1/cancel"

    @Test func `after five more attempts it is left to expire, and that is said`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            gateway.mimiKey.setDown(true)
            #expect(await gateway.cancel(id).state == "cancelled")
            for pause in [5, 10, 20, 40, 60] {
                await gateway.clock.untilSleepers { $0.contains(.seconds(pause)) }
                gateway.clock.advance(by: .seconds(pause))
            }
            while !gateway.logText.contains("it stays open until it expires") { await Task.yield() }
        }
    }

    @Test func `it ends here even when MimiKey cannot be reached`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            for _ in 0..<8 {
                gateway.mimiKey.answerNext(
                    "POST /api/oauth/requests/rq_1/cancel",
                    .failure(SendFailure(.connectFailed, bytesMayHaveLeft: false)))
            }
            #expect(await gateway.cancel(id).state == "cancelled")
        }
    }

    @Test func `a wait ends with it`() async throws {
        try await withGateway { gateway in
            let waiting = Task { await gateway.ask(wait: 300) }
            await gateway.untilPolling(waits: 1)
            let id = try #require(await gateway.ask().string("id"))
            _ = await gateway.cancel(id)
            #expect(await waiting.value.state == "cancelled")
        }
    }

    @Test func `a card that is still being made is taken back when it is there`() async throws {
        try await withGateway { gateway in
            gateway.mimiKey.hold()
            let asking = Task { await gateway.ask(wait: 300) }
            // Pruning, and the wait for the card.
            await gateway.untilHolding(1)
            gateway.clock.advance(by: .seconds(301))
            let made = await asking.value
            #expect(made.status == 202)
            #expect(made.json["upstream_id"]?.isNull == true)
            let id = try #require(made.string("id"))
            #expect(await gateway.cancel(id).state == "cancelled")
            gateway.mimiKey.release()
            while gateway.mimiKey.cards.first?.status != "cancelled" { await Task.yield() }
        }
    }
}
