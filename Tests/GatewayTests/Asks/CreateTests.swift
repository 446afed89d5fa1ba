import Core
import Strongbox
import TestSupport
import Testing

@testable import Gateway

struct CreateTests {
    private static let rules = "      - { ops: [create_item], fields: [username, password] }"
    private static let both = TestGateway.Options(rules: rules, otherRules: rules)

    private static func body(
        _ url: String? = "https://bank.example.com/join", title: String = "Bank", more: String = ""
    )
        -> String
    {
        let link = url.map { #","url":"\#($0)""# } ?? ""
        return
            #"{"op":"create_item","kind":"login","prefill":{"title":"\#(title)","username_hint":"kim"\#(link)}\#(more)}"#
    }

    @Test func `a new item goes to the first granted vault, with what the form begins with`() async throws {
        try await withGateway(.init(rules: Self.rules)) { gateway in
            async let answer = gateway.ask(Self.body(), wait: 20)
            await gateway.untilPolling(waits: 1)
            let card = try #require(gateway.mimiKey.cards.first).body.root
            #expect(card.members.map(\.name) == ["op", "vault_id", "kind", "prefill", "reason"])
            #expect(card["vault_id"]?.string == "v_1")
            #expect(card["kind"]?.string == "login")
            #expect(
                card["prefill"]?.members.map { "\($0.name) \($0.value.string ?? "")" } == [
                    "title Bank", "url https://bank.example.com/join", "username_hint kim",
                ])
            gateway.mimiKey.approve()
            await gateway.poll(waits: 1)
            let record = await answer.json["result"]?["item"]?["record"]
            #expect(record?.members.map(\.name).sorted() == ["password", "username"])
        }
    }

    @Test(arguments: [
        ("{ ops: [create_item], vaults: [Work] }", "v_2"), ("{ ops: [create_item], vaults: [v_3, Work] }", "v_2"),
        ("{ ops: [create_item], vaults: [Gone, v_3] }", "v_3"),
    ])
    func `or to the vault that the caller's rules are for`(rule: String, vault: String) async throws {
        try await withGateway(.init(rules: "      - \(rule)")) { gateway in
            #expect(await gateway.ask(Self.body()).status == 202)
            #expect(gateway.mimiKey.cards[0].body.root["vault_id"]?.string == vault)
        }
    }

    @Test func `without a granted vault it is not asked for`() async throws {
        try await withGateway(.init(rules: Self.rules), vaults: []) { gateway in
            let answer = await gateway.ask(Self.body())
            #expect(answer.status == 409)
            #expect(answer.error == "no_granted_vault")
            #expect(answer.string("next_action") == "authorize")
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `under hosts it needs the URL of what it is for`() async throws {
        let rules = "      - { ops: [create_item], hosts: [bank.example.com] }"
        try await withGateway(.init(rules: rules)) { gateway in
            let missing = await gateway.ask(Self.body(nil))
            #expect(missing.status == 403)
            #expect(missing.text.contains("prefill.url"))
            #expect(await gateway.ask(Self.body("https://evil.test")).error == "policy_denied")
            #expect(gateway.mimiKey.calls.isEmpty)
            #expect(await gateway.ask(Self.body()).status == 202)
        }
    }

    @Test func `saved where the grant does not reach, it is a success without an item`() async throws {
        try await withGateway(.init(rules: Self.rules)) { gateway in
            async let answer = gateway.ask(Self.body(), wait: 20)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.saveElsewhere()
            await gateway.poll(waits: 1)
            let done = await answer
            let id = try #require(done.string("id"))
            for answer in [done, await gateway.look(id), await gateway.cancel(id), await gateway.look(id)] {
                #expect(answer.status == 200)
                #expect(answer.state == "completed")
                #expect(answer.json["result"]?["saved_out_of_scope"]?.bool == true)
                #expect(answer.json["result"]?.members.count == 1)
                #expect(answer.json["result_state"]?.isNull == true)
                #expect(answer.json["executed"]?.bool == true)
                #expect(answer.json["error"]?.isNull == true)
                #expect(answer.string("next_action") == "stop")
            }
            // It is over: the same wish is a new item.
            #expect(await gateway.ask(Self.body()).string("id") != id)
        }
    }

    @Test func `one caller's new items for one vault and host are one card, as MimiKey has it`() async throws {
        try await withGateway(.init(rules: Self.rules, limits: "{ open: 9 }")) { gateway in
            let first = await gateway.ask(Self.body())
            let again = await gateway.ask(Self.body("http://BANK.example.com:8080/other", title: "Other"))
            #expect(again.string("id") == first.string("id"))
            #expect(again.json["joined"]?.bool == true)
            let elsewhere = [
                Self.body(more: #","vault_id":"v_2""#), Self.body("https://www.bank.example.com"), Self.body(nil),
                Self.body(nil, title: "Other"),
            ]
            var ids: Set<String?> = [first.string("id")]
            for body in elsewhere { ids.insert(await gateway.ask(body).string("id")) }
            #expect(ids.count == 5)
            #expect(await gateway.ask(Self.body(nil)).json["joined"]?.bool == true)
            #expect(gateway.mimiKey.cards.count == 5)
        }
    }

    @Test func `open for another caller, it is refused before MimiKey hears of it`() async throws {
        try await withGateway(Self.both) { gateway in
            let mine = try #require(await gateway.ask(Self.body()).string("id"))
            let theirs = await gateway.ask(Self.body(title: "Mine"), token: TestGateway.otherToken)
            #expect(theirs.status == 409)
            #expect(theirs.error == "ask_in_progress")
            #expect(theirs.json["retryable"]?.bool == true)
            #expect(theirs.fields.text("retry-after") == "30")
            #expect(!theirs.text.contains(mine))
            #expect(gateway.mimiKey.count("POST /api/oauth/requests") == 1)
            #expect(
                await gateway.ask(Self.body(more: #","vault_id":"v_2""#), token: TestGateway.otherToken).status == 202)
            _ = await gateway.cancel(mine)
            #expect(await gateway.ask(Self.body(), token: TestGateway.otherToken).status == 202)
        }
    }

    @Test func `also when the first one's card is only being made`() async throws {
        try await withGateway(Self.both) { gateway in
            gateway.mimiKey.hold()
            let mine = Task { await gateway.ask(Self.body(), wait: 300) }
            await gateway.untilHolding(1)
            #expect(await gateway.ask(Self.body(), token: TestGateway.otherToken).error == "ask_in_progress")
            gateway.mimiKey.release()
            mine.cancel()
            _ = await mine.value
        }
    }

    /// MimiKey's answer to a create that it joins with the card `rq_1`.
    private static func joinNext(_ gateway: TestGateway) {
        let answer = #"{"id":"rq_1","op":"create_item","status":"pending","expires_at":1780000600}"#
        gateway.mimiKey.answerNext(
            "POST /api/oauth/requests", .success(InboundResponse(status: 200, body: Array(answer.utf8))))
    }

    @Test func `a card that MimiKey gives to two callers stays with the first`() async throws {
        try await withGateway(Self.both) { gateway in
            let mine = try #require(await gateway.ask(Self.body()).string("id"))
            Self.joinNext(gateway)
            let theirs = await gateway.ask(Self.body("https://login.bank.example.com"), token: TestGateway.otherToken)
            #expect(theirs.status == 409)
            #expect(theirs.error == "ask_in_progress")
            let id = try #require(theirs.string("ask_id"))
            let failed = await gateway.look(id, token: TestGateway.otherToken)
            #expect(failed.state == "failed")
            #expect(failed.json["upstream_id"]?.isNull == true)
            #expect(await gateway.cancel(id, token: TestGateway.otherToken).state == "failed")
            #expect(gateway.mimiKey.count("POST /api/oauth/requests/rq_1/cancel") == 0)
            gateway.mimiKey.approve()
            await gateway.poll()
            #expect(await gateway.look(mine, wait: 20).json["result"]?["item"] != nil)
        }
    }

    @Test func `also when the second one has gone before the answer came`() async throws {
        try await withGateway(Self.both) { gateway in
            _ = await gateway.ask(Self.body())
            Self.joinNext(gateway)
            gateway.mimiKey.hold()
            let theirs = Task {
                await gateway.ask(
                    Self.body("https://login.bank.example.com"), wait: 300, token: TestGateway.otherToken)
            }
            // Its wait for the card.
            await gateway.untilHolding(1)
            gateway.clock.advance(by: .seconds(301))
            let id = try #require(await theirs.value.string("id"))
            #expect(await gateway.cancel(id, token: TestGateway.otherToken).state == "cancelled")
            gateway.mimiKey.release()
            // Whatever else was held is answered; nothing takes the first one's card back.
            await gateway.poll()
            await gateway.untilPolling()
            #expect(gateway.mimiKey.cards[0].status == "pending")
            #expect(gateway.mimiKey.count("POST /api/oauth/requests/rq_1/cancel") == 0)
        }
    }

    @Test func `a card that one caller could not take back is not another's`() async throws {
        try await withGateway(Self.both) { gateway in
            let mine = try #require(await gateway.ask(Self.body()).string("id"))
            for _ in 0..<8 {
                gateway.mimiKey.answerNext(
                    "POST /api/oauth/requests/rq_1/cancel",
                    .failure(SendFailure(.connectFailed, bytesMayHaveLeft: false)))
            }
            #expect(await gateway.cancel(mine).state == "cancelled")
            Self.joinNext(gateway)
            let theirs = await gateway.ask(Self.body(), token: TestGateway.otherToken)
            #expect(theirs.error == "ask_in_progress")
            // Its own it may go on with.
            Self.joinNext(gateway)
            let again = await gateway.ask(Self.body())
            #expect(again.status == 202)
            #expect(again.string("upstream_id") == "rq_1")
            #expect(again.string("id") != mine)
        }
    }
}
