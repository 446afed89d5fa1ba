import Core
import Strongbox
import TestSupport
import Testing

@testable import Gateway

/// One store and one MimiKey, several gateways one after the other.
struct RestartTests {
    private let lives: GatewayLives

    init() async throws { lives = try await GatewayLives() }

    private func ask(_ id: String, upstreamID: String? = nil, state: AskState = .pending, finishedAt: UnixTime? = nil)
        -> Ask
    {
        Ask(
            id: AskID(id)!, call: Call(caller: CallerName("agent")!, op: .pickItem, hint: Hint(title: id)),
            createdAt: lives.clock.wall, upstreamID: upstreamID, state: state, callbackState: "state-\(id)",
            finishedAt: finishedAt)
    }

    @Test func `a pending ask is taken up under its id and makes no second card`() async throws {
        let id = Shared<String?>(nil)
        try await lives.live { gateway in
            id.value = await gateway.ask().string("id")
        }
        lives.mimiKey.approve()
        try await lives.live { gateway in
            let first = try #require(id.value)
            async let held = gateway.look(first, wait: 60)
            await gateway.untilPolling(waits: 1)
            gateway.clock.advance(by: .seconds(2))
            #expect(await held.string("state") == "completed")
            #expect(gateway.mimiKey.cards.count == 1)
            #expect(gateway.mimiKey.count("POST /api/oauth/requests") == 1)
        }
    }

    @Test func `the same wish joins it after a restart too`() async throws {
        let id = Shared<String?>(nil)
        try await lives.live { gateway in
            id.value = await gateway.ask().string("id")
        }
        try await lives.live { gateway in
            let again = await gateway.ask()
            #expect(again.string("id") == id.value)
            #expect(again.json["joined"]?.bool == true)
            #expect(gateway.mimiKey.cards.count == 1)
        }
    }

    @Test func `an intent without MimiKey's id is failed and never asked again`() async throws {
        let intent = ask("ask_intent0000000000000000")
        try await lives.store.save(intent)
        try await lives.live { gateway in
            let answer = await gateway.look(intent.id.rawValue)
            #expect(answer.status == 200)
            #expect(answer.state == "failed")
            #expect(answer.error == "outcome_unknown")
            #expect(answer.string("next_action") == "ask_user")
            #expect(gateway.mimiKey.calls.isEmpty)
        }
        #expect(try await lives.store.ask(intent.id)?.error == .outcomeUnknown)
    }

    @Test func `a completed ask that was not delivered is fetched again`() async throws {
        let id = Shared<String?>(nil)
        try await lives.live { gateway in
            let asked = try #require(await gateway.ask().string("id"))
            gateway.mimiKey.approve()
            await gateway.poll()
            _ = await gateway.look(asked, wait: 60, method: .head)
            id.value = asked
        }
        try await lives.live { gateway in
            let first = try #require(id.value)
            let done = await gateway.look(first)
            #expect(done.json["result"]?["item"]?["id"]?.string == "it_1")
        }
        try await lives.live { gateway in
            let first = try #require(id.value)
            #expect(await gateway.look(first).string("result_state") == "released")
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [(nil, 2), (7, 7)] as [(Int?, Int)])
    func `a mute MimiKey holds who fetches it no longer than was asked for, and loses nothing`(
        wait: Int?, seconds: Int
    ) async throws {
        let id = Shared<String?>(nil)
        try await lives.live { gateway in
            id.value = await gateway.ask().string("id")
            gateway.mimiKey.approve()
            await gateway.poll()
            _ = await gateway.look(id.value ?? "", wait: 60, method: .head)
        }
        try await lives.live { gateway in
            let asked = try #require(id.value)
            gateway.mimiKey.mute("GET /api/oauth/requests/")
            let looking = Task { await gateway.look(asked, wait: wait) }
            await gateway.clock.untilSleepers { $0.contains(.seconds(seconds)) }
            gateway.clock.advance(by: .seconds(seconds))
            let late = await looking.value
            #expect(late.status == 504)
            #expect(late.error == "upstream_timeout")
            #expect(late.json["executed"]?.bool == true)
            #expect(late.json["retryable"]?.bool == true)
            gateway.mimiKey.mute(nil)
            #expect(await gateway.look(asked).json["result"]?["item"]?["id"]?.string == "it_1")
        }
    }

    @Test func `after ten minutes it is not`() async throws {
        let old = ask(
            "ask_old0000000000000000000", upstreamID: "rq_9", state: .completed,
            finishedAt: UnixTime(seconds: lives.clock.wall.seconds - 601))
        try await lives.store.save(old)
        try await lives.live { gateway in
            let answer = await gateway.look(old.id.rawValue)
            #expect(answer.state == "completed")
            #expect(answer.string("result_state") == "expired")
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `the journal is written before the card is asked for`() async throws {
        try await lives.live { gateway in
            gateway.mimiKey.hold()
            let asking = Task { await gateway.ask(wait: 300) }
            await gateway.untilHolding(1)
            let open = try await gateway.store.openAsks()
            #expect(open.count == 1)
            #expect(open.first?.upstreamID == nil)
            gateway.mimiKey.release()
            asking.cancel()
            _ = await asking.value
        }
    }
}

/// A value that several closures of a test share, one after the other.
final class Shared<Value: Sendable>: @unchecked Sendable {
    // Written before the next closure begins.
    var value: Value
    init(_ value: Value) { self.value = value }
}
