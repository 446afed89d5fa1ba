import Core
import Testing

@testable import Gateway

struct VaultRouteTests {
    @Test func `a caller sees the vaults that its rules can be about`() async throws {
        let rules = """
                  - { ops: [pick_item], vaults: [Work] }
                  - { ops: [get_item], vaults: [v_3, Gone] }
            """
        try await withGateway(.init(rules: rules)) { gateway in
            let mine = await gateway.send(.get, "/v1/vaults")
            #expect(mine.status == 200)
            #expect(mine.json["vaults"]?.elements.map { $0["id"]?.string } == ["v_2", "v_3"])
            #expect(
                mine.json["vaults"]?.elements.first?.members.map { "\($0.name) \($0.value.string ?? "")" } == [
                    "id v_2", "name Work", "policy ask",
                ])
            let others = await gateway.send(.get, "/v1/vaults", token: TestGateway.otherToken)
            #expect(others.json["vaults"]?.elements.count == 3)
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `a caller learns whose account it is, and nothing else of it`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/v1/account")
            #expect(answer.status == 200)
            #expect(answer.json.members.map { "\($0.name) \($0.value.string ?? "")" } == ["account_id ac_1"])
        }
    }

    @Test(arguments: ["/v1/vaults", "/v1/account"])
    func `without a grant there is nothing to tell`(path: String) async throws {
        try await withGateway(authorized: false) { gateway in
            let answer = await gateway.send(.get, path)
            #expect(answer.status == 409)
            #expect(answer.error == "not_authorized")
        }
    }

    @Test func `a vault name that the grant has twice is warned of, and matches nothing`() async throws {
        let twice = FakeMimiKey.vaults + [Vault(id: "v_4", name: "Work", policy: .ask)]
        try await withGateway(.init(rules: "      - { ops: [pick_item], vaults: [Work] }"), vaults: twice) { gateway in
            let warnings = await gateway.send(.get, "/readyz").json["warnings"]?.elements
            #expect(warnings?.map { $0["code"]?.string } == ["vault_name_ambiguous"])
            #expect(gateway.logText.contains("vault_name_ambiguous"))
            #expect(await gateway.ask().error == "policy_denied")
            #expect(await gateway.send(.get, "/v1/vaults").json["vaults"]?.elements.isEmpty == true)
        }
    }
}
