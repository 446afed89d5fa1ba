import Core
import TestSupport
import Testing

@testable import Gateway

struct GetTests {
    private static let body =
        #"{"op":"get_item","vault_id":"v_1","item_id":"it_7","reason":"log in","want":["password"]}"#
    private static let trusted = #"{"op":"get_item","vault_id":"v_3","item_id":"it_7"}"#
    private static let rules = "      - { ops: [get_item], fields: all }"
    private static let trusting = "      - { ops: [get_item], fields: all, trust: allow }"

    @Test func `a named item is asked for, and comes cut down to what was wanted`() async throws {
        try await withGateway(.init(rules: Self.rules)) { gateway in
            async let answer = gateway.ask(Self.body, wait: 20)
            await gateway.untilPolling(waits: 1)
            let card = try #require(gateway.mimiKey.cards.first).body.root
            #expect(card.members.map(\.name) == ["op", "vault_id", "item_id", "reason"])
            #expect(card["item_id"]?.string == "it_7")
            #expect(card["reason"]?.string == #"agent (verified by Countersign) says: "log in""#)
            gateway.mimiKey.approve(id: "it_7")
            await gateway.poll(waits: 1)
            let done = await answer
            #expect(done.string("op") == "get_item")
            #expect(done.json["result"]?["item"]?["id"]?.string == "it_7")
            #expect(done.json["result"]?["item"]?["record"]?.members.map(\.name) == ["password"])
        }
    }

    @Test func `what is approved waits for MimiKey to be opened, and says so`() async throws {
        try await withGateway(.init(rules: Self.rules)) { gateway in
            let id = try #require(await gateway.ask(Self.body).string("id"))
            gateway.mimiKey.end(0, "approved")
            await gateway.poll()
            await gateway.untilPolling()
            let approved = await gateway.look(id)
            #expect(approved.state == "approved")
            #expect(approved.string("next_action") == "wait")
            #expect(approved.json["executed"]?.bool == false)
            let url = try #require(approved.string("open_url"))
            #expect(approved.string("message")?.hasSuffix(url) == true)
            gateway.mimiKey.approve(id: "it_7")
            await gateway.poll()
            #expect(await gateway.look(id, wait: 20).json["result"]?["item"] != nil)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `one held look goes through the approval to the result`() async throws {
        try await withGateway(.init(rules: Self.rules)) { gateway in
            let id = try #require(await gateway.ask(Self.body).string("id"))
            let looking = Task { await gateway.look(id, wait: 300) }
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.end(0, "approved")
            await gateway.poll(waits: 1)
            await gateway.untilPolling(waits: 1)
            #expect(await gateway.look(id).state == "approved")
            gateway.mimiKey.approve(id: "it_7")
            await gateway.poll(waits: 1)
            let done = await looking.value
            #expect(done.state == "completed")
            #expect(done.json["result"]?["item"]?["id"]?.string == "it_7")
        }
    }

    @Test func `an item of a trust vault is refused before it is asked for, unless the rule allows it`() async throws {
        try await withGateway(.init(rules: Self.rules)) { gateway in
            let answer = await gateway.ask(Self.trusted)
            #expect(answer.status == 403)
            #expect(answer.error == "trust_not_allowed")
            #expect(answer.text.contains("rule 1"))
            #expect(gateway.mimiKey.calls.isEmpty)
        }
        let opened = Shared<[String]>([])
        let options = TestGateway.Options(
            rules: Self.trusting,
            open: { url in
                opened.value.append(url)
                return true
            })
        try await withGateway(options) { gateway in
            gateway.mimiKey.makeNext("approved")
            let made = await gateway.ask(Self.trusted)
            #expect(made.status == 202)
            #expect(made.state == "approved")
            #expect(made.string("open_url") != nil)
            let id = try #require(made.string("id"))
            while opened.value.isEmpty { await Task.yield() }
            gateway.mimiKey.approve(id: "it_7", vaultID: "v_3")
            await gateway.poll()
            #expect(await gateway.look(id, wait: 20).json["result"]?["item"]?["vault_id"]?.string == "v_3")
        }
    }

    @Test(arguments: ["approved", "completed"])
    func `what MimiKey approves by itself against the rule is taken back and never opened`(
        status: String
    ) async throws {
        let opened = Shared<[String]>([])
        let options = TestGateway.Options(
            rules: Self.rules,
            open: { url in
                opened.value.append(url)
                return true
            })
        try await withGateway(options) { gateway in
            // The person has changed the vault since the grant was stored.
            gateway.mimiKey.makeNext(status)
            let answer = await gateway.ask(Self.body, wait: 20)
            #expect(answer.status == 403)
            #expect(answer.error == "trust_not_allowed")
            let id = try #require(answer.string("ask_id"))
            while gateway.mimiKey.count("POST /api/oauth/requests/rq_1/cancel") == 0 { await Task.yield() }
            let later = await gateway.look(id)
            #expect(later.state == "failed")
            #expect(later.error == "trust_not_allowed")
            #expect(later.json["open_url"]?.isNull == true)
            #expect(later.json["result"]?.isNull == true)
            #expect(opened.value.isEmpty)
            if status == "approved" { #expect(gateway.mimiKey.cards[0].status == "cancelled") }
        }
    }

    @Test func `the one vault of the rule is asked for, and the item's host is looked at before it is handed out`()
        async throws
    {
        let rules = "      - { ops: [get_item], vaults: [Work], hosts: [bank.example.com], fields: all }"
        try await withGateway(.init(rules: rules)) { gateway in
            let body = #"{"op":"get_item","item_id":"it_7"}"#
            let id = try #require(await gateway.ask(body).string("id"))
            #expect(gateway.mimiKey.cards[0].body.root["vault_id"]?.string == "v_2")
            gateway.mimiKey.approve(
                record: #"{"url":"https://mail.canary.example","password":"canary-password"}"#, vaultID: "v_2")
            await gateway.poll()
            let answer = await gateway.look(id, wait: 20)
            #expect(answer.state == "failed")
            #expect(answer.error == "policy_denied_on_item")
            #expect(!answer.text.contains("canary"))
        }
    }

    @Test(arguments: [
        (#"{ ops: [pick_item], items: [it_1], fields: all }"#, "it_2", "v_1", "login"),
        (#"{ ops: [pick_item], vaults: [v_1, Work], fields: all }"#, "it_1", "v_3", "login"),
        (#"{ ops: [pick_item], kinds: [login], fields: all }"#, "it_1", "v_1", "card"),
    ])
    func `a picked item that no rule is about is not handed out`(
        rule: String, id: String, vaultID: String, kind: String
    ) async throws {
        try await withGateway(.init(rules: "      - \(rule)")) { gateway in
            let first = try #require(await gateway.ask(#"{"op":"pick_item","hint":{"title":"a"}}"#).string("id"))
            let second = try #require(await gateway.ask(#"{"op":"pick_item","hint":{"title":"b"}}"#).string("id"))
            gateway.mimiKey.approve(0, id: id, vaultID: vaultID, kind: kind)
            gateway.mimiKey.approve(1)
            await gateway.poll(asks: 2)
            let refused = await gateway.look(first, wait: 20)
            #expect(refused.error == "policy_denied_on_item")
            #expect(refused.json["executed"]?.bool == true)
            #expect(await gateway.look(second, wait: 20).json["result"]?["item"] != nil)
        }
    }

    @Test func `the same item again joins, another does not`() async throws {
        try await withGateway(.init(rules: Self.rules)) { gateway in
            let first = await gateway.ask(Self.body)
            let again = await gateway.ask(#"{"op":"get_item","vault_id":"v_1","item_id":"it_7","want":["title"]}"#)
            #expect(again.string("id") == first.string("id"))
            #expect(again.json["joined"]?.bool == true)
            let other = await gateway.ask(#"{"op":"get_item","vault_id":"v_1","item_id":"it_8"}"#)
            #expect(other.string("id") != first.string("id"))
            #expect(gateway.mimiKey.cards.count == 2)
        }
    }
}
