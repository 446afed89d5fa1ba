import Core

extension ConfigurationDecoder {
    /// What a caller may do: one element of `may`.
    mutating func rule(_ node: YAMLNode) -> Rule? {
        let keys = mapping(
            node, "a rule", allowed: ["ops", "hosts", "vaults", "items", "kinds", "fields", "writes", "trust"],
            required: ["ops"])
        var rule = Rule(ops: keys["ops"].map { operations($0) } ?? [])
        rule.hosts = keys["hosts"].flatMap { hostPatterns($0) }
        rule.vaults = keys["vaults"].flatMap { names($0, "`vaults`", "a vault", longest: 256) }
        rule.items = keys["items"].flatMap { names($0, "`items`", "an item", longest: 256) }.map(Set.init)
        rule.kinds = keys["kinds"].flatMap { names($0, "`kinds`", "a kind", longest: 64) }.map(Set.init)
        if let fields = keys["fields"] { rule.fields = fieldSelection(fields, "`fields`") }
        if let writes = keys["writes"] { rule.writes = fieldSelection(writes, "`writes`") }
        if let trust = keys["trust"] { rule.allowsTrust = allowsTrust(trust) }
        if rule.ops.contains(.updateItem) { checkUpdating(rule, keys["ops"] ?? node) }
        return rule
    }

    /// Of an update nothing comes back, so what it is about must be known before its card.
    private mutating func checkUpdating(_ rule: Rule, _ node: YAMLNode) {
        let advice = "give `update_item` a rule of its own, with `vaults` or `items`"
        if rule.hosts != nil || rule.kinds != nil {
            report(node, "a rule with `update_item` cannot have `hosts` or `kinds`", hint: advice)
        }
        if rule.vaults == nil, rule.items == nil {
            report(node, "a rule with `update_item` must name `vaults` or `items`", hint: advice)
        }
    }

    private mutating func allowsTrust(_ node: YAMLNode) -> Bool {
        guard let text = text(node, "`trust`") else { return false }
        if text != "allow" { report(node, "`trust` can only be `allow`", hint: "leave it out otherwise") }
        return text == "allow"
    }

    /// `nil`: any.
    private mutating func names(_ node: YAMLNode, _ what: String, _ one: String, longest: Int) -> [String]? {
        if case .scalar("any") = node.content { return nil }
        var names: [String] = []
        for element in sequence(node, what) {
            guard let text = text(element, one) else { continue }
            guard text.unicodeScalars.count <= longest else {
                report(element, "\(one) has at most \(longest) characters")
                continue
            }
            names.append(text)
        }
        return names
    }

    private mutating func operations(_ node: YAMLNode) -> Set<Operation> {
        if case .scalar("any") = node.content { return Set(Operation.allCases) }
        var operations: Set<Operation> = []
        for element in sequence(node, "`ops`") {
            guard let text = text(element, "an operation") else { continue }
            guard let operation = Operation(rawValue: text) else {
                report(
                    element, "`\(text.shownInConfiguration)` is no operation",
                    hint: "one of \(Operation.allCases.map(\.rawValue).joined(separator: ", "))")
                continue
            }
            operations.insert(operation)
        }
        return operations
    }

    /// `nil`: any host.
    private mutating func hostPatterns(_ node: YAMLNode) -> [HostPattern]? {
        if case .scalar("any") = node.content { return nil }
        var patterns: [HostPattern] = []
        for element in sequence(node, "`hosts`") {
            guard let text = text(element, "a host") else { continue }
            guard let pattern = HostPattern(text) else {
                report(
                    element, "`\(text.shownInConfiguration)` is no host pattern",
                    hint: "write `bank.example.com` or `\"*.shop.example\"`")
                continue
            }
            patterns.append(pattern)
        }
        return patterns
    }

    private mutating func fieldSelection(_ node: YAMLNode, _ what: String) -> FieldSelection {
        if case .scalar("all") = node.content { return .all }
        var names: Set<String> = []
        for element in sequence(node, what) {
            guard let text = text(element, "a field") else { continue }
            guard FieldName.isValid(text) else {
                report(
                    element, "`\(text.shownInConfiguration)` is no field name",
                    hint: "lower-case letters, digits and `_`, starting with a letter")
                continue
            }
            names.insert(text)
        }
        return .only(names)
    }
}
