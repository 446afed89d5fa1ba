import Core
import MimiKey
import Strongbox
import TestSupport
import Testing

@testable import Gateway
@testable import MimiKey

struct GrantChangeTests {
    private static func body(_ number: Int) -> String {
        #"{"op":"pick_item","hint":{"url":"https://s\#(number).example.com"}}"#
    }

    /// Five waits, and what ends them.
    private static func waits(
        in gateway: TestGateway, until change: (MimiKeyClient) async throws -> Void
    ) async throws -> [Answer] {
        var waiting: [Task<Answer, Never>] = []
        for number in 0..<5 {
            let id = try #require(await gateway.ask(body(number)).string("id"))
            waiting.append(Task { await gateway.look(id, wait: 300) })
        }
        await gateway.untilPolling(asks: 5, waits: 5)
        try await change(gateway.responder.services.client)
        var answers: [Answer] = []
        for task in waiting { answers.append(await task.value) }
        return answers
    }

    private static let five = TestGateway.Options(limits: "{ open: 5 }")

    @Test func `when the grant is lost every open ask fails at once, and who waits is told`() async throws {
        try await withGateway(Self.five) { gateway in
            let answers = try await Self.waits(in: gateway) { client in
                gateway.mimiKey.refuseNext("GET /api/oauth/requests/rq_1", status: 401, "grant_revoked")
                gateway.clock.advance(by: .seconds(2))
            }
            for answer in answers {
                #expect(answer.status == 200)
                #expect(answer.state == "failed")
                #expect(answer.error == "revoked")
                #expect(answer.string("next_action") == "authorize")
            }
            let next = await gateway.ask(Self.body(9))
            #expect(next.status == 409)
            #expect(next.error == "revoked")
        }
    }

    @Test func `a reset cancels them`() async throws {
        try await withGateway(Self.five) { gateway in
            let answers = try await Self.waits(in: gateway) { try await $0.reset() }
            for answer in answers {
                #expect(answer.state == "cancelled")
                #expect(answer.error == "not_authorized")
                #expect(answer.string("next_action") == "authorize")
            }
        }
    }

    /// Takes another grant into use, as an authorization does.
    private static func replaceGrant(_ gateway: TestGateway, in client: MimiKeyClient) async throws {
        let other = StoredGrant(
            grantID: "gr_other", clientID: "pmc_test", origin: "http://127.0.0.1:7448", approvalKey: ApprovalKey(),
            sealKey: SealKey(),
            tokens: Tokens(
                access: Secret(copying: Array("canary-access-2".utf8)),
                refresh: Secret(copying: Array("canary-refresh-2".utf8)),
                accessExpiresAt: gateway.clock.wall + .seconds(86_400)),
            vaults: [Vault(id: "v_1", name: "Personal", policy: .ask)])
        try await gateway.store.save(other)
        await client.replaceForTest(gateway.mimiKey.grant, with: other)
    }

    @Test func `cards of a replaced grant are taken back with its keys, and may be asked for anew`() async throws {
        try await withGateway(Self.five) { gateway in
            let answers = try await Self.waits(in: gateway) { try await Self.replaceGrant(gateway, in: $0) }
            for answer in answers {
                #expect(answer.state == "cancelled")
                #expect(answer.error == "grant_replaced")
                #expect(answer.string("next_action") == "retry")
            }
            #expect(gateway.mimiKey.cards.map(\.status) == [String](repeating: "cancelled", count: 5))
            let cancels = gateway.mimiKey.sent.filter { $0.target.hasSuffix("/cancel") }
            #expect(cancels.allSatisfy { $0.fields.text("authorization") == "Bearer canary-access" })
            #expect(await gateway.ask(Self.body(0)).status == 202)
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (#"{"op":"pick_item"}"#, "pick_item"),
            (#"{"op":"update_item","vault_id":"v_1","item_id":"it_1","patch":{"notes":"x"}}"#, "update_item"),
        ])
    func `a card that was to be made under the old grant is not made under the new one`(
        body: String, op: String
    ) async throws {
        let rules = "      - { ops: [\(op)], vaults: [Personal], writes: all }"
        try await withGateway(.init(rules: rules)) { gateway in
            gateway.mimiKey.refuseNext("POST /api/oauth/requests", status: 500, "database_error")
            let asking = Task { await gateway.ask(body, wait: 300) }
            await gateway.clock.untilSleepers { $0.contains(.seconds(1)) }
            try await Self.replaceGrant(gateway, in: gateway.responder.services.client)
            gateway.clock.advance(by: .seconds(1))
            let answer = await asking.value
            #expect(answer.status == 200)
            #expect(answer.state == "cancelled")
            #expect(answer.error == "grant_replaced")
            #expect(answer.string("next_action") == "retry")
            #expect(gateway.mimiKey.cards.isEmpty)
            #expect(await gateway.ask(body).string("id") != answer.string("id"))
        }
    }

    @Test func `a card that cannot be taken back is not asked for anew by a loop`() async throws {
        try await withGateway(Self.five) { gateway in
            let answers = try await Self.waits(in: gateway) { client in
                gateway.mimiKey.mute("POST /api/oauth/requests/rq_1/cancel")
                try await Self.replaceGrant(gateway, in: client)
                await gateway.clock.untilSleepers { $0.contains(.seconds(10)) }
                while gateway.mimiKey.cards.dropFirst().contains(where: { $0.status == "pending" }) {
                    await Task.yield()
                }
                gateway.clock.advance(by: .seconds(10))
            }
            #expect(answers.map { $0.error } == [String?](repeating: "grant_replaced", count: 5))
            #expect(answers.map { $0.string("next_action") } == ["ask_user", "retry", "retry", "retry", "retry"])
            #expect(answers[0].json["open_url"]?.isNull == true)
        }
    }

    @Test func `asks of another grant than the stored one do not go on after a restart`() async throws {
        let lives = try await GatewayLives()
        let id = Shared<String?>(nil)
        try await lives.live { gateway in
            id.value = await gateway.ask().string("id")
        }
        let text = try #require(id.value)
        let asked = try #require(AskID(text))
        var ask = try #require(try await lives.store.ask(asked))
        #expect(ask.grantID == FakeMimiKey.grantID)
        ask.grantID = "gr_former"
        try await lives.store.save(ask)
        try await lives.live { gateway in
            let answer = await gateway.look(asked.rawValue)
            #expect(answer.state == "cancelled")
            #expect(answer.error == "grant_replaced")
            #expect(answer.string("next_action") == "ask_user")
        }
    }

    @Test(arguments: [(true, AskState.failed, "revoked"), (false, .cancelled, "not_authorized")])
    func `nor do they without a grant`(isRevoked: Bool, state: AskState, error: String) async throws {
        let lives = try await GatewayLives()
        let id = Shared<String?>(nil)
        try await lives.live { gateway in
            id.value = await gateway.ask().string("id")
        }
        try await lives.store.wipeGrant(revoked: isRevoked)
        let asked = try #require(id.value)
        try await lives.live { gateway in
            let answer = await gateway.look(asked)
            #expect(answer.state == state.rawValue)
            #expect(answer.error == error)
        }
    }
}

extension MimiKeyClient {
    fileprivate func replaceForTest(_ former: StoredGrant, with new: StoredGrant) {
        hold(new)
        keep(replaced: former)
    }
}
