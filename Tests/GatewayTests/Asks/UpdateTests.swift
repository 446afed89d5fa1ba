import Core
import MimiKey
import Strongbox
import TestSupport
import Testing

@testable import Gateway

struct UpdateTests {
    private static let rules = "      - { ops: [update_item], vaults: [v_1], writes: [password, notes] }"
    private static let options = TestGateway.Options(rules: rules)

    private static func body(_ patch: String = #"{"password":"canary-new","notes":"n"}"#, item: String = "it_1")
        -> String
    {
        #"{"op":"update_item","vault_id":"v_1","item_id":"\#(item)","reason":"leaked","patch":\#(patch)}"#
    }

    @Test func `a change is a draft with names, then a sealed patch, then a card`() async throws {
        try await withGateway(Self.options) { gateway in
            async let answer = gateway.ask(Self.body(), wait: 20)
            await gateway.untilPolling(waits: 1)
            let card = try #require(gateway.mimiKey.cards.first)
            #expect(card.body.root.members.map(\.name) == ["op", "vault_id", "item_id", "fields", "reason"])
            #expect(card.body.root["fields"]?.elements.map(\.string) == ["notes", "password"])
            #expect(card.status == "pending")
            #expect(gateway.mimiKey.openedPatch() == #"{"patch":{"notes":"n","password":"canary-new"}}"#)
            gateway.mimiKey.update()
            await gateway.poll(waits: 1)
            let done = await answer
            let id = try #require(done.string("id"))
            for answer in [done, await gateway.look(id), await gateway.cancel(id)] {
                #expect(answer.state == "completed")
                #expect(answer.json["result"]?["updated_item"]?["item_id"]?.string == "it_1")
                #expect(answer.json["result"]?["updated_item"]?["revision"]?.integer == 8)
                #expect(answer.json["result_state"]?.isNull == true)
                #expect(answer.json["executed"]?.bool == true)
                #expect(answer.string("next_action") == "stop")
            }
            #expect(!gateway.logText.contains("canary"))
            for request in gateway.mimiKey.sent {
                #expect(!String(decoding: request.body, as: UTF8.self).contains("canary-new"))
            }
        }
    }

    @Test func `its values are nowhere in the journal, and wiped once the card is there`() async throws {
        let clock = ManualClock()
        let mimiKey = FakeMimiKey(wall: { clock.wall })
        let store = try Store(.memory, keyFile: nil)
        try await store.save(mimiKey.grant)
        let configuration = try Self.options.configuration()
        let client = MimiKeyClient(configuration.mimiKey.client, store: store, send: mimiKey.send, time: clock.source)
        try await client.start()
        let asks = AskBook(
            AskBook.Settings(clientID: "pmc_test", opens: false, downloadURL: nil, open: 90), store: store,
            client: client, opener: Opener { _ in true }, time: clock.source, log: { _ in })
        let running = Task { await asks.run() }
        let caller = try #require(configuration.callers[CallerName("agent")!])
        let read = try AskBody(reading: Array(Self.body().utf8), by: caller.name)
        let admitted = try await asks.admit(read, uid: nil, by: caller)
        #expect(admitted.patch?.count == #"{"patch":{"notes":"n","password":"canary-new"}}"#.utf8.count)
        _ = try await asks.ask(admitted, by: caller, wait: .zero)
        #expect(admitted.patch?.count == 0)
        let row = try #require(await store.openAsks().first)
        #expect(row.state == .pending)
        #expect(row.call.patch?.names == ["notes", "password"])
        #expect(row.call.patch?.fingerprint.utf8.count == 64)
        #expect(!"\(row)".contains("canary"))
        running.cancel()
        await running.value
    }

    @Test func `completed without a word of what was written is failed, and was carried out`() async throws {
        try await withGateway(Self.options) { gateway in
            let id = try #require(await gateway.ask(Self.body()).string("id"))
            gateway.mimiKey.update(item: nil)
            await gateway.poll()
            let answer = await gateway.look(id, wait: 20)
            #expect(answer.state == "failed")
            #expect(answer.error == "updated_item_missing")
            #expect(answer.json["executed"]?.bool == true)
            #expect(answer.json["result"]?.isNull == true)
        }
    }

    @Test func `an item that was changed elsewhere is to be read again, and the same change may be asked anew`()
        async throws
    {
        try await withGateway(Self.options) { gateway in
            let id = try #require(await gateway.ask(Self.body()).string("id"))
            gateway.mimiKey.end(0, "denied", denyReason: "conflict")
            await gateway.poll()
            let answer = await gateway.look(id, wait: 20)
            #expect(answer.state == "denied")
            #expect(answer.string("next_action") == "read_again")
            #expect(await gateway.ask(Self.body()).string("id") != id)
        }
    }

    @Test func `the same change joins while it is open, another value or item does not`() async throws {
        try await withGateway(.init(rules: Self.rules, limits: "{ open: 9 }")) { gateway in
            let first = await gateway.ask(Self.body())
            let again = await gateway.ask(Self.body(#"{"notes":"n","password":"canary-new"}"#))
            #expect(again.string("id") == first.string("id"))
            #expect(again.json["joined"]?.bool == true)
            var ids: Set<String?> = [first.string("id")]
            ids.insert(await gateway.ask(Self.body(#"{"notes":"n","password":"other"}"#)).string("id"))
            ids.insert(await gateway.ask(Self.body(item: "it_2")).string("id"))
            #expect(ids.count == 3)
            #expect(gateway.mimiKey.cards.count == 3)
            gateway.mimiKey.update()
            await gateway.poll(asks: 3)
            let id = try #require(first.string("id"))
            #expect(await gateway.look(id, wait: 20).state == "completed")
            #expect(await gateway.ask(Self.body()).string("id") != id)
        }
    }

    @Test func `what the rule does not let be written is refused before any draft`() async throws {
        try await withGateway(Self.options) { gateway in
            let answer = await gateway.ask(Self.body(#"{"password":"x","url":"https://evil.test"}"#))
            #expect(answer.status == 403)
            #expect(answer.error == "policy_denied")
            #expect(answer.text.contains("Rule 1"))
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `a draft whose answer was lost made no card, so it may be asked again`() async throws {
        try await withGateway(Self.options) { gateway in
            gateway.mimiKey.answerNext(
                "POST /api/oauth/requests", .failure(SendFailure(.closed, bytesMayHaveLeft: true)))
            let answer = await gateway.ask(Self.body(), wait: 20)
            #expect(answer.status == 503)
            #expect(answer.error == "draft_lost")
            #expect(answer.json["retryable"]?.bool == true)
            #expect(await gateway.ask(Self.body()).status == 202)
        }
    }

    @Test func `an account whose key has changed is sealed to by nobody`() async throws {
        try await withGateway(Self.options) { gateway in
            _ = await gateway.send(.get, "/v1/account")
            let key = Base64URL.encode(SealKey().publicKey)
            let vaults = #"[{"id":"v_1","name":"P","mode":1,"policy":"ask"}]"#
            let other =
                #"{"account_id":"ac_1","identity_public_key":"\#(key)","grant_id":"gr_test","vaults":\#(vaults)}"#
            gateway.mimiKey.answerNext(
                "GET /api/oauth/account", .success(InboundResponse(status: 200, body: Array(other.utf8))))
            let answer = await gateway.ask(Self.body(), wait: 20)
            #expect(answer.status == 409)
            #expect(answer.error == "identity_key_changed")
            #expect(gateway.mimiKey.cards[0].status == "cancelled")
            #expect(gateway.mimiKey.cards[0].patch == nil)
        }
    }
}

/// A gateway that starts with an update which the last one has left.
struct LeftDraftTests {
    private let lives: GatewayLives

    init() async throws { lives = try await GatewayLives() }

    private func left(_ upstreamID: String?) async throws -> Ask {
        let ask = Ask(
            id: AskID("ask_draft00000000000000000")!,
            call: Call(
                caller: CallerName("agent")!, op: .updateItem, vaultID: "v_1", itemID: "it_1",
                patch: PatchOutline(names: ["password"], fingerprint: "f")),
            createdAt: lives.clock.wall, grantID: FakeMimiKey.grantID, upstreamID: upstreamID, state: .draft,
            callbackState: "state-of-draft")
        try await lives.store.save(ask)
        return ask
    }

    @Test(arguments: ["draft", "expired"])
    func `a draft without its patch is taken back, and may be asked again`(status: String) async throws {
        let ask = try await left(lives.mimiKey.leaveDraft(status))
        try await lives.live { gateway in
            async let held = gateway.look(ask.id.rawValue, wait: 60)
            await gateway.untilHolding(1)
            while await gateway.look(ask.id.rawValue).state == "draft" {
                gateway.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            let answer = await held
            #expect(answer.state == "failed")
            #expect(answer.error == "draft_lost")
            #expect(answer.json["retryable"]?.bool == true)
            #expect(answer.string("next_action") == "retry")
            #expect(answer.json["executed"]?.bool == false)
            if status == "draft" {
                while gateway.mimiKey.cards[0].status != "cancelled" { await Task.yield() }
            }
        }
    }

    @Test func `one whose patch had arrived is a card, and is carried on`() async throws {
        let ask = try await left(lives.mimiKey.leaveDraft("pending"))
        try await lives.live { gateway in
            while await gateway.look(ask.id.rawValue).state == "draft" {
                gateway.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            let pending = await gateway.look(ask.id.rawValue)
            #expect(pending.state == "pending")
            #expect(pending.string("open_url")?.contains("state=state-of-draft") == true)
            gateway.mimiKey.update()
            await gateway.poll()
            let done = await gateway.look(ask.id.rawValue, wait: 20)
            #expect(done.state == "completed")
            #expect(done.json["result"]?["updated_item"]?["revision"]?.integer == 8)
        }
        // It has no result to fetch: nothing is taken up of it.
        try await lives.live { gateway in
            #expect(await gateway.look(ask.id.rawValue).json["result"]?["updated_item"] != nil)
        }
    }

    @Test func `an intent that MimiKey gave no id made no card`() async throws {
        let ask = try await left(nil)
        try await lives.live { gateway in
            let answer = await gateway.look(ask.id.rawValue)
            #expect(answer.state == "failed")
            #expect(answer.error == "draft_lost")
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }
}
