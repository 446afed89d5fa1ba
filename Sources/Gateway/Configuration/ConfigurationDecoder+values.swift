/// The kinds of value that the file knows. Each reports what is wrong and gives `nil`, or what could be read.
extension ConfigurationDecoder {
    mutating func entries(_ node: YAMLNode, _ what: String) -> [YAMLNode.Entry] {
        guard case .mapping(let entries) = node.content else {
            report(node, "\(what) must be a mapping of keys to values")
            return []
        }
        return entries
    }

    /// The values by key; unknown keys and missing ones are reported.
    mutating func mapping(
        _ node: YAMLNode, _ what: String, allowed: [String], required: [String] = []
    ) -> [String: YAMLNode] {
        var values: [String: YAMLNode] = [:]
        let entries = entries(node, what)
        for entry in entries {
            if allowed.contains(entry.key) {
                values[entry.key] = entry.value
            } else {
                let key = YAMLNode(position: entry.position, content: .scalar(entry.key))
                report(
                    key, "\(what) has no key `\(entry.key.shownInConfiguration)`",
                    hint: "it has \(allowed.joined(separator: ", "))")
            }
        }
        if case .mapping = node.content {
            for key in required where values[key] == nil { report(node, "\(what) lacks `\(key)`") }
        }
        return values
    }

    mutating func sequence(_ node: YAMLNode, _ what: String) -> [YAMLNode] {
        guard case .sequence(let elements) = node.content else {
            report(node, "\(what) must be a list", hint: "write `[…]`, or a line with `- ` for each")
            return []
        }
        return elements
    }

    /// Never empty.
    mutating func text(_ node: YAMLNode, _ what: String) -> String? {
        guard case .scalar(let text) = node.content else {
            report(node, "\(what) must be a single value")
            return nil
        }
        guard !text.isEmpty else {
            report(node, "\(what) has no value")
            return nil
        }
        return text
    }

    /// An absolute path.
    mutating func path(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = text(node, what) else { return nil }
        guard text.hasPrefix("/"), !text.utf8.contains(0) else {
            report(node, "\(what) must be an absolute path", hint: "`~` and variables are not expanded")
            return nil
        }
        return text
    }

    mutating func integer(_ node: YAMLNode, _ what: String, _ range: ClosedRange<Int>) -> Int? {
        guard let text = text(node, what) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), range.contains(value) else {
            report(node, "\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    /// `500ms`, `2s`, `10m` or `1h`.
    mutating func duration(_ node: YAMLNode, _ what: String, _ range: ClosedRange<Duration>) -> Duration? {
        guard let text = text(node, what) else { return nil }
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit: Duration? =
            switch text.dropFirst(digits.count) {
            case "ms": .milliseconds(1)
            case "s": .seconds(1)
            case "m": .seconds(60)
            case "h": .seconds(3600)
            default: nil
            }
        guard let unit, digits.utf8.count <= 9, let count = Int(digits) else {
            report(node, "\(what) is no length of time", hint: "write `500ms`, `2s`, `10m` or `1h`")
            return nil
        }
        let duration = unit * count
        guard range.contains(duration) else {
            report(node, "\(what) must be from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return duration
    }
}
