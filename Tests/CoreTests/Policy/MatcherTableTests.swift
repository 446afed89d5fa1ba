import Core
import Testing

/// Two callers, one with a rule that names something and one whose rule names nothing; what the rule looks at is known,
/// not known yet, or something else. Each at the ask and at release.
struct MatcherTableTests {
    enum Matcher: CaseIterable { case vaults, items, kinds, hosts }
    enum Fact: CaseIterable { case named, unsaid, other }

    private static let granted = [
        Vault(id: "v_1", name: "Personal", policy: .ask), Vault(id: "v_2", name: "Work", policy: .ask),
        Vault(id: "v_3", name: "Else", policy: .ask),
    ]

    /// Of the caller with names, and of the one without.
    private static func rule(_ op: Operation, _ matcher: Matcher, names: Bool) -> Rule {
        var rule = Rule(ops: [op], fields: .all, writes: .all)
        guard names else { return rule }
        switch matcher {
        case .vaults: rule.vaults = ["v_1", "Work"]
        case .items: rule.items = ["it_1"]
        case .kinds: rule.kinds = ["login"]
        case .hosts: rule.hosts = [HostPattern("bank.example.com")!]
        }
        return rule
    }

    /// A call of which only that fact is in question.
    private static func call(_ op: Operation, _ matcher: Matcher, _ fact: Fact) -> Call {
        var call = Call(caller: CallerName("agent")!, op: op, vaultID: "v_1")
        switch op {
        case .pickItem: break
        case .createItem: call.kind = "login"
        case .getItem: call.itemID = "it_1"
        case .updateItem:
            call.itemID = "it_1"
            call.patch = PatchOutline(names: ["password"], fingerprint: "f")
        }
        let url = value(fact, "https://www.bank.example.com/", "https://evil.test")
        switch (matcher, op) {
        case (.vaults, _): call.vaultID = value(fact, "v_2", "v_3")
        case (.items, .getItem), (.items, .updateItem): call.itemID = value(fact, "it_1", "it_2")
        case (.kinds, .pickItem): call.hint.kind = value(fact, "login", "card")
        case (.kinds, .createItem): call.kind = value(fact, "login", "card")
        case (.hosts, .pickItem): call.hint.url = url
        case (.hosts, .createItem): call.prefill.url = url
        case (.items, .pickItem), (.items, .createItem), (.kinds, .getItem), (.kinds, .updateItem), (.hosts, .getItem),
            (.hosts, .updateItem):
            break
        }
        return call
    }

    private static func value(_ fact: Fact, _ named: String, _ other: String) -> String? {
        switch fact {
        case .named: named
        case .unsaid: nil
        case .other: other
        }
    }

    /// What the naming rule says to a call with that fact; `nil`: it is allowed.
    private static func expected(_ op: Operation, _ matcher: Matcher, _ fact: Fact) -> Denial? {
        switch (matcher, op, fact) {
        case (_, .pickItem, .named), (.vaults, _, .named): nil
        case (.vaults, .updateItem, .unsaid): .missingVaultID(rule: 0)
        case (.vaults, _, .unsaid): nil
        case (.vaults, _, .other): .vault
        // What is picked shows its id later, what is made has none, and the others cannot do without.
        case (.items, .pickItem, _): nil
        case (.items, .createItem, _): .item
        case (.items, _, .named): nil
        case (.items, _, .unsaid), (.items, _, .other): .item
        case (.kinds, .pickItem, .unsaid), (.kinds, .getItem, _), (.kinds, .createItem, .named): nil
        case (.kinds, .updateItem, _): .kind
        case (.kinds, _, .unsaid), (.kinds, _, .other): .kind
        case (.hosts, .getItem, _), (.hosts, .createItem, .named): nil
        case (.hosts, .updateItem, _): .host
        case (.hosts, _, .unsaid): .missingURL(rule: 0)
        case (.hosts, _, .other): .host
        }
    }

    @Test(arguments: Operation.allCases, Matcher.allCases)
    func `at the ask, what is not known yet passes, and what is something else does not`(
        op: Operation, matcher: Matcher
    ) {
        let one = Policy(rules: [Self.rule(op, matcher, names: true)])
        let other = Policy(rules: [Self.rule(op, matcher, names: false)])
        for fact in Fact.allCases {
            let call = Self.call(op, matcher, fact)
            let verdict = one.decide(call, granted: Self.granted)
            switch Self.expected(op, matcher, fact) {
            case nil: #expect(verdict.isAllowed, "\(op) \(matcher) \(fact): \(verdict)")
            case let denial?: #expect(verdict == .denied(denial), "\(op) \(matcher) \(fact)")
            }
            #expect(other.decide(call, granted: Self.granted).isAllowed, "\(op) \(matcher) \(fact)")
        }
    }

    @Test(arguments: Matcher.allCases, Fact.allCases)
    func `at release nothing passes that is not known`(matcher: Matcher, fact: Fact) {
        for op in Operation.allCases where op != .updateItem {
            var call = Self.call(op, matcher, .named)
            if matcher == .vaults { call.vaultID = nil }
            if matcher == .kinds { call.kind = nil }
            var item = ItemFacts(itemID: "it_1", url: "https://bank.example.com", vaultID: "v_1", kind: "login")
            switch matcher {
            case .vaults: item.vaultID = Self.value(fact, "v_2", "v_3")
            case .items: item.itemID = Self.value(fact, "it_1", "it_2")
            case .kinds: item.kind = Self.value(fact, "login", "card")
            case .hosts: item.url = Self.value(fact, "https://bank.example.com/x", "https://evil.test")
            }
            let named = Policy(rules: [Self.rule(op, matcher, names: true)])
                .decideRelease(of: item, for: call, granted: Self.granted)
            let denial: Denial = matcher == .hosts ? .itemHost : .chosenItem
            switch fact {
            case .named: #expect(named.isAllowed, "\(op)")
            case .unsaid, .other: #expect(named == .denied(denial), "\(op)")
            }
            let free = Policy(rules: [Self.rule(op, matcher, names: false)])
            #expect(free.decideRelease(of: item, for: call, granted: Self.granted).isAllowed, "\(op)")
        }
    }

    @Test(arguments: Operation.allCases)
    func `a rule of another operation says nothing`(op: Operation) {
        let others = Set(Operation.allCases).subtracting([op])
        let policy = Policy(rules: [Rule(ops: others, fields: .all, writes: .all, allowsTrust: true)])
        let call = Self.call(op, .vaults, .named)
        #expect(policy.decide(call, granted: Self.granted) == .denied(.operation))
        #expect(policy.decideRelease(of: ItemFacts(url: nil), for: call, granted: Self.granted) == .denied(.operation))
    }

    @Test func `without a granted vault no new item has a place`() {
        let policy = Policy(rules: [Rule(ops: [.createItem])])
        #expect(policy.decide(Self.call(.createItem, .vaults, .unsaid), granted: []) == .denied(.noVault))
        let unnamed = Policy(rules: [
            Rule(ops: [.createItem], vaults: ["Work", "Else"], kinds: ["card"]),
            Rule(ops: [.createItem], vaults: ["v_9"]),
        ])
        #expect(unnamed.decide(Self.call(.createItem, .vaults, .unsaid), granted: Self.granted) == .denied(.kind))
    }

    @Test func `an item that MimiKey approved by itself is let out by a rule with trust alone`() {
        let call = Self.call(.getItem, .vaults, .named)
        let item = ItemFacts(itemID: "it_1", url: nil, vaultID: "v_1")
        for allows in [false, true] {
            let policy = Policy(rules: [Rule(ops: [.getItem], allowsTrust: allows)])
            let untapped = policy.decideRelease(of: item, for: call, granted: Self.granted, isUntapped: true)
            #expect(untapped.isAllowed == allows)
            #expect(policy.decideRelease(of: item, for: call, granted: Self.granted).isAllowed)
        }
    }

    @Test func `a caller reaches the vaults that some rule can be about`() {
        let reached = { (rules: [Rule]) in
            Self.granted.filter { Policy(rules: rules).reaches($0, granted: Self.granted) }.map(\.id)
        }
        #expect(reached([]) == [])
        #expect(
            reached([Rule(ops: [.pickItem], vaults: ["Work"]), Rule(ops: [.getItem], vaults: ["v_3", "None"])]) == [
                "v_2", "v_3",
            ])
        #expect(reached([Rule(ops: [.pickItem], vaults: ["Work"]), Rule(ops: [.getItem])]) == ["v_1", "v_2", "v_3"])
    }
}

extension Verdict {
    fileprivate var isAllowed: Bool {
        switch self {
        case .allowed: true
        case .denied: false
        }
    }
}
