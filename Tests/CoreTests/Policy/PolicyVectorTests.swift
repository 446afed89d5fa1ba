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
                policy.decideRelease(of: ItemFacts(url: item["url"]?.string), for: call)
            } else {
                policy.decide(call)
            }
        let expectation = try #require(vector["expect"])
        #expect(try verdict == expected(expectation))
        #expect(file.subject == (vector["item"] == nil ? "ask" : "release"))
        switch verdict {
        case .allowed: #expect(file.verdict == "allow")
        case .denied: #expect(file.verdict == "deny")
        }
    }

    private func rule(_ value: JSONValue) throws -> Rule {
        let ops = try #require(value["ops"])
        var rule = Rule(ops: Set(ops.elements.compactMap { $0.string.flatMap(Operation.init) }))
        rule.hosts = try value["hosts"]?.elements.map { host in
            let text = try #require(host.string)
            return try #require(HostPattern(text))
        }
        if let fields = value["fields"] { rule.fields = selection(fields) }
        return rule
    }

    private func call(_ value: JSONValue) throws -> Call {
        Call(
            caller: try #require(CallerName("agent")), op: try #require(value["op"]?.string.flatMap(Operation.init)),
            hint: Hint(url: value["hint"]?["url"]?.string), want: value["want"].map(names))
    }

    private func expected(_ value: JSONValue) throws -> Verdict {
        let rule = value["rule"]?.integer.map(Int.init)
        guard let denial = value["denial"]?.string else {
            let fields = try #require(value["fields"])
            return .allowed(rule: try #require(rule), fields: selection(fields))
        }
        switch denial {
        case "operation": return .denied(.operation)
        case "fields": return .denied(.fields(rule: try #require(rule)))
        case "missing_hint_url": return .denied(.missingHintURL(rule: try #require(rule)))
        case "unreadable_hint_url": return .denied(.unreadableHintURL)
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
