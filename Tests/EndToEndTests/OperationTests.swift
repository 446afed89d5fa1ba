import Core
import Foundation
import Testing

/// Every operation over sockets, through two processes and two readings of the protocol.
struct OperationTests {
    private static let rules = """
              - { ops: [get_item], vaults: [Personal], fields: all }
              - { ops: [get_item], vaults: [Work] }
              - { ops: [create_item], vaults: [Work], fields: [username, password] }
              - { ops: [update_item], items: [it_bank], vaults: [Personal], writes: [password, card_pin] }
        """

    @Test func `a named item is read, changed and read again, and a new one is made`() async throws {
        let stage = try await Stage(person: "after=0s", rules: Self.rules, manners: .polite)
        let get = #"{"op":"get_item","vault_id":"v_personal","item_id":"it_bank"}"#
        let before = try await stage.ask(wait: 20, body: get)
        #expect(before.json?["result"]?["item"]?["revision"]?.integer == 7)

        let patch = #"{"password":"caf\u00e9 \"new\" €","card_pin":"1234"}"#
        let update = try await stage.ask(
            wait: 20, body: #"{"op":"update_item","item_id":"it_bank","reason":"leaked","patch":\#(patch)}"#)
        #expect(update.state == "completed")
        #expect(update.json?["result"]?["updated_item"]?["item_id"]?.string == "it_bank")
        #expect(update.json?["result"]?["updated_item"]?["revision"]?.integer == 8)

        let after = try await stage.ask(wait: 20, body: get)
        #expect(after.json?["result"]?["item"]?["revision"]?.integer == 8)
        #expect(after.record?["password"]?.string == #"café "new" €"#)
        #expect(after.record?["card_pin"]?.string == "1234")

        let create = try await stage.ask(
            wait: 20,
            body:
                #"{"op":"create_item","kind":"login","prefill":{"url":"https://new.example.com","username_hint":"kim"}}"#
        )
        #expect(create.state == "completed")
        #expect(create.json?["result"]?["item"]?["vault_id"]?.string == "v_work")
        #expect(create.record?.members.map(\.name).sorted() == ["password", "username"])

        let vaults = try await stage.look("/v1/vaults", wait: 0)
        #expect(vaults.json?["vaults"]?.elements.map { $0["name"]?.string } == ["Personal", "Work", "Robots"])
        let account = try await stage.look("/v1/account", wait: 0)
        #expect(account.status == 200)
        #expect(account.json?["account_id"]?.string?.isEmpty == false)
        await stage.end()
    }

    @Test func `what the rules do not allow never reaches the person`() async throws {
        let stage = try await Stage(person: "after=0s", rules: Self.rules, manners: .polite)
        for body in [
            #"{"op":"get_item","vault_id":"v_robots","item_id":"it_bank"}"#,
            #"{"op":"update_item","vault_id":"v_work","item_id":"it_bank","patch":{"password":"x"}}"#,
            #"{"op":"update_item","vault_id":"v_personal","item_id":"it_bank","patch":{"url":"https://evil.test"}}"#,
            #"{"op":"create_item","kind":"login","vault_id":"v_personal"}"#,
        ] {
            let answer = try await stage.ask(wait: 20, body: body)
            #expect(answer.status == 403)
            #expect(answer.json?["error"]?.string == "policy_denied")
        }
        await stage.end()
    }
}
