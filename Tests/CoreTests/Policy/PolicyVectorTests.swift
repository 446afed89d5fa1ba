import Core
import Testing

/// The files of `Vectors/policy`: rules, a call, at release the item, and what has to come out.
struct PolicyVectorTests {
    @Test(arguments: VectorFile.all(in: "policy"))
    func `a decision is the one that its vector names`(file: VectorFile) throws {
        let vector = try JSONDocument(file.bytes).root
        let rules = try #require(vector["rules"])
        let policy = Policy(rules: try rules.elements.map(rule))
        let wanted = try #require(vector["call"])
        let call = try call(wanted)
        let verdict =
            if let item = vector["item"] {
                policy.decideRelease(
                    of: ItemFacts(
                        itemID: item["id"]?.string, url: item["url"]?.string, vaultID: item["vault_id"]?.string,
                        kind: item["kind"]?.string), for: call, granted: Self.granted)
            } else {
                policy.decide(call, granted: Self.granted)
            }
        let expectation = try #require(vector["expect"])
        #expect(try verdict == expected(expectation))
        #expect(file.subject == (vector["item"] == nil ? "ask" : "release"))
        switch verdict {
        case .allowed: #expect(file.verdict == "allow")
        case .denied: #expect(file.verdict == "deny")
        }
    }

    /// Two vaults have one name, and one has the id of another as its name.
    private static let granted = [
        Vault(id: "v_1", name: "Personal", policy: .ask), Vault(id: "v_2", name: "Work", policy: .ask),
        Vault(id: "v_3", name: "Open", policy: .trust), Vault(id: "v_4", name: "Twice", policy: .ask),
        Vault(id: "v_5", name: "Twice", policy: .ask), Vault(id: "v_6", name: "v_1", policy: .ask),
    ]

    private func rule(_ value: JSONValue) throws -> Rule {
        let ops = try #require(value["ops"])
        var rule = Rule(ops: Set(ops.elements.compactMap { $0.string.flatMap(Operation.init) }))
        rule.hosts = try value["hosts"]?.elements.map { host in
            let text = try #require(host.string)
            return try #require(HostPattern(text))
        }
        rule.vaults = value["vaults"]?.elements.compactMap(\.string)
        rule.items = value["items"].map(names)
        rule.kinds = value["kinds"].map(names)
        if let fields = value["fields"] { rule.fields = selection(fields) }
        if let writes = value["writes"] { rule.writes = selection(writes) }
        rule.allowsTrust = value["trust"]?.string == "allow"
        return rule
    }

    private func call(_ value: JSONValue) throws -> Call {
        Call(
            caller: try #require(CallerName("agent")), op: try #require(value["op"]?.string.flatMap(Operation.init)),
            hint: Hint(url: value["hint"]?["url"]?.string, kind: value["hint"]?["kind"]?.string),
            prefill: Prefill(url: value["prefill"]?["url"]?.string), kind: value["kind"]?.string,
            vaultID: value["vault_id"]?.string, itemID: value["item_id"]?.string,
            patch: value["patch"].map { PatchOutline(names: names($0), fingerprint: "f") },
            want: value["want"].map(names))
    }

    private func expected(_ value: JSONValue) throws -> Verdict {
        let rule = value["rule"]?.integer.map(Int.init)
        guard let denial = value["denial"]?.string else {
            let fields = try #require(value["fields"])
            return .allowed(
                Permission(
                    rule: try #require(rule), fields: selection(fields), vaultID: value["vault_id"]?.string,
                    allowsTrust: value["trust"]?.string == "allow"))
        }
        switch denial {
        case "operation": return .denied(.operation)
        case "fields": return .denied(.fields(rule: try #require(rule)))
        case "missing_hint_url": return .denied(.missingURL(rule: try #require(rule)))
        case "unreadable_hint_url": return .denied(.unreadableURL)
        case "missing_vault_id": return .denied(.missingVaultID(rule: try #require(rule)))
        case "no_vault": return .denied(.noVault)
        case "writes": return .denied(.writes(rule: try #require(rule)))
        case "trust": return .denied(.trust(rule: try #require(rule)))
        case "vault": return .denied(.vault)
        case "item": return .denied(.item)
        case "kind": return .denied(.kind)
        case "chosen_item": return .denied(.chosenItem)
        case "host": return .denied(.host)
        case "item_host": return .denied(.itemHost)
        case "no_field_left": return .denied(.noFieldLeft)
        default: throw UnknownDenial()
        }
    }

    private struct UnknownDenial: Error {}

    private func selection(_ value: JSONValue) -> FieldSelection {
        value.string == "all" ? .all : .only(names(value))
    }

    private func names(_ value: JSONValue) -> Set<String> { Set(value.elements.compactMap(\.string)) }
}
