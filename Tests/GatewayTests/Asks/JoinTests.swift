import Core
import TestSupport
import Testing

@testable import Gateway

struct JoinTests {
    private static func key(_ hint: Hint, caller: String = "agent", vaultID: String? = nil, reason: String? = nil)
        -> JoinKey
    {
        JoinKey(Call(caller: CallerName(caller)!, op: .pickItem, hint: hint, vaultID: vaultID, reason: reason))
    }

    @Test func `the same wish again joins the open ask`() async throws {
        try await withGateway { gateway in
            let first = await gateway.ask(#"{"op":"pick_item","hint":{"url":"https://Bank.example.com/"}}"#)
            let second = await gateway.ask(
                #"{"op":"pick_item","hint":{"url":"https://bank.example.com"},"reason":"again"}"#)
            #expect(first.json["joined"]?.bool == false)
            #expect(second.json["joined"]?.bool == true)
            #expect(second.string("id") == first.string("id"))
            #expect(gateway.mimiKey.cards.count == 1)
        }
    }

    @Test func `AP-15 duplicates of one caller are one card, another caller gets its own`() async throws {
        try await withGateway { gateway in
            let mine = (0..<20).map { _ in Task { await gateway.ask() } }
            let other = await gateway.ask(token: TestGateway.otherToken)
            var ids: Set<String?> = []
            for task in mine { ids.insert(await task.value.string("id")) }
            #expect(ids.count == 1)
            #expect(!ids.contains(other.string("id")))
            #expect(gateway.mimiKey.cards.count == 2)
        }
    }

    @Test func `AP-15 twenty callers at once have a card each, with its caller's and user's name on it`() async throws {
        let sockets = """
              - unix: /run/countersign-test/agent.sock
                caller: agent
                allow_uids: [\((0..<20).map { "\(1000 + $0)" }.joined(separator: ", "))]
                mode: "0666"
            """
        let options = TestGateway.Options(
            rules: "      - { ops: [get_item], fields: all }", limits: "{ open: 90 }", sockets: sockets)
        try await withGateway(options) { gateway in
            let body = #"{"op":"get_item","vault_id":"v_1","item_id":"it_7"}"#
            let users = (0..<20).flatMap { [UInt32(1000 + $0), UInt32(1000 + $0)] }
            let asks = users.map { user in
                Task {
                    await gateway.comeBySocket(
                        .post, "/v1/requests", body: body, uid: user, fields: [HTTPField("prefer", "wait=0")])
                }
            }
            var ids: [UInt32: Set<String?>] = [:]
            for (user, ask) in zip(users, asks) { ids[user, default: []].insert(await ask.value.string("id")) }
            #expect(ids.values.allSatisfy { $0.count == 1 && !$0.contains(nil) })
            #expect(Set(ids.values).count == 20)
            let reasons = Set(gateway.mimiKey.cards.map { $0.body.root["reason"]?.string })
            #expect(gateway.mimiKey.cards.count == 20)
            #expect(
                reasons
                    == Set((1000..<1020).map { "agent (uid \($0), verified by Countersign) gives no reason." }))
        }
    }

    @Test func `another caller's card is never an ask's own`() async throws {
        try await withGateway { gateway in
            let mine = await gateway.ask()
            let answer = #"{"id":"rq_1","op":"pick_item","status":"pending"}"#
            gateway.mimiKey.answerNext(
                "POST /api/oauth/requests", .success(InboundResponse(status: 200, body: Array(answer.utf8))))
            let other = await gateway.ask(token: TestGateway.otherToken)
            #expect(other.status == 502)
            #expect(other.string("error") == "malformed_response")
            #expect(mine.string("upstream_id") == "rq_1")
        }
    }

    @Test func `joined askers get what any of them wants`() async throws {
        try await withGateway { gateway in
            _ = await gateway.ask(#"{"op":"pick_item","want":["username"]}"#)
            async let both = gateway.ask(#"{"op":"pick_item","want":["password"]}"#, wait: 60)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.approve()
            await gateway.poll(waits: 1)
            let record = await both.json["result"]?["item"]?["record"]
            #expect(record?.members.map(\.name).sorted() == ["password", "username"])
        }
    }

    @Test func `a retry after completion gets the result and no second card`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            gateway.mimiKey.approve()
            await gateway.poll()
            _ = await gateway.look(id, wait: 60, delivered: false)
            let retry = await gateway.ask()
            #expect(retry.string("id") == id)
            #expect(retry.json["result"]?["item"]?["id"]?.string == "it_1")
            #expect(gateway.mimiKey.cards.count == 1)
        }
    }

    @Test func `after an end or a delivery the same wish is a new ask`() async throws {
        try await withGateway { gateway in
            let first = try #require(await gateway.ask().string("id"))
            _ = await gateway.cancel(first)
            let second = try #require(await gateway.ask().string("id"))
            #expect(first != second)
            #expect(gateway.mimiKey.cards.count == 2)
        }
    }

    @Test func `what counts of the other operations is what they are about`() {
        let agent = CallerName("agent")!
        let get = Call(caller: agent, op: .getItem, vaultID: "v_1", itemID: "it_1")
        let update = { (fingerprint: String) in
            Call(
                caller: agent, op: .updateItem, vaultID: "v_1", itemID: "it_1",
                patch: PatchOutline(names: ["password"], fingerprint: fingerprint))
        }
        let create = { (url: String?, vault: String, uid: UInt32?) in
            Call(
                caller: agent, uid: uid, op: .createItem, prefill: Prefill(title: "T", url: url), kind: "login",
                vaultID: vault)
        }
        var other = get
        other.itemID = "it_2"
        #expect(JoinKey(get) != JoinKey(other))
        other = get
        other.uid = 1001
        #expect(JoinKey(get) != JoinKey(other))
        #expect(JoinKey(get) != JoinKey(update("a")))
        #expect(JoinKey(update("a")) == JoinKey(update("a")))
        #expect(JoinKey(update("a")) != JoinKey(update("b")))
        let bank = JoinKey(create("https://bank.example.com/a", "v_1", nil))
        #expect(bank == JoinKey(create("http://BANK.example.com:81", "v_1", nil)))
        #expect(bank != JoinKey(create("https://bank.example.com/a", "v_2", nil)))
        #expect(bank != JoinKey(create(nil, "v_1", nil)))
        #expect(bank.meets(JoinKey(create("bank.example.com", "v_1", 1001))))
        #expect(!bank.meets(bank))
        #expect(!bank.meets(JoinKey(create("bank.example.com", "v_2", 1001))))
        #expect(!bank.meets(JoinKey(create(nil, "v_1", 1001))))
        #expect(!bank.meets(JoinKey(get)))
        // What has no readable host is told apart by all that is said of it.
        #expect(JoinKey(create("bank\\x", "v_1", nil)) != JoinKey(create("bank\\y", "v_1", nil)))
    }

    @Test func `what counts is caller, vault, host, port, path, title and kind`() {
        let url = Hint(url: "https://bank.example.com/login?x=1#y")
        #expect(Self.key(url) == Self.key(Hint(url: "http://BANK.example.com/login/")))
        #expect(Self.key(url, reason: "a") == Self.key(url, reason: "b"))
        #expect(Self.key(Hint(title: "My  Bank")) == Self.key(Hint(title: "my bank")))
        #expect(Self.key(url) != Self.key(Hint(url: "https://bank.example.com/other")))
        #expect(Self.key(url) != Self.key(Hint(url: "https://bank.example.com:8443/login")))
        #expect(Self.key(url) != Self.key(Hint(url: "https://bank.example.org/login")))
        #expect(Self.key(url) != Self.key(url, caller: "other"))
        #expect(Self.key(url) != Self.key(url, vaultID: "v_1"))
        #expect(Self.key(Hint(kind: "login")) != Self.key(Hint(kind: "card")))
        #expect(Self.key(Hint(title: "a")) != Self.key(Hint(url: "a")))
    }
}
