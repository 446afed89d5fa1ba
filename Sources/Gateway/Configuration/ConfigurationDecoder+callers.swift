import Core

extension ConfigurationDecoder {
    /// - Parameter bySocket: callers that a socket names, so that they need no token.
    mutating func callers(_ node: YAMLNode, bySocket: Set<CallerName>) -> [CallerName: CallerSettings] {
        var callers: [CallerName: CallerSettings] = [:]
        var owners: [[UInt8]: CallerName] = [:]
        for entry in entries(node, "`callers`") {
            guard let name = CallerName(entry.key) else {
                report(
                    YAMLNode(position: entry.position, content: .scalar(entry.key)),
                    "`\(entry.key.shownInConfiguration)` is no name for a caller",
                    hint: "1 to 64 of a-z, 0-9, `-`, `_` and `.`, starting with a letter or digit")
                continue
            }
            let caller = caller(entry.value, name, needsToken: !bySocket.contains(name))
            for hash in caller.tokenHashes {
                if let other = owners.updateValue(name, forKey: hash) {
                    report(
                        entry.value, "one token is given to `\(other)` and to `\(name)`",
                        hint: "a token names one caller")
                }
            }
            callers[name] = caller
        }
        return callers
    }

    private mutating func caller(_ node: YAMLNode, _ name: CallerName, needsToken: Bool) -> CallerSettings {
        let keys = mapping(
            node, "the caller `\(name)`", allowed: ["tokens", "token", "may", "limits"], required: ["may"])
        if keys["token"] != nil, keys["tokens"] != nil {
            report(node, "both `token` and `tokens` are there", hint: "keep `tokens`")
        }
        if needsToken, keys["token"] == nil, keys["tokens"] == nil {
            report(
                node, "the caller `\(name)` has neither a token nor a socket",
                hint: "`countersign caller new \(name)` makes a token")
        }
        let hashes =
            keys["tokens"].map { node in sequence(node, "`tokens`").compactMap { tokenHash($0) } }
            ?? keys["token"].map { node in [tokenHash(node)].compactMap { $0 } } ?? []
        let rules = keys["may"].map { node in sequence(node, "`may`").compactMap { rule($0) } } ?? []
        let limits = keys["limits"].map { callerLimits($0) } ?? CallerLimits()
        return CallerSettings(name: name, tokenHashes: hashes, policy: Policy(rules: rules), limits: limits)
    }

    private mutating func tokenHash(_ node: YAMLNode) -> [UInt8]? {
        guard let text = text(node, "a token") else { return nil }
        guard text.hasPrefix("sha256:"), let hash = Hex.decode(text.dropFirst(7)), hash.count == 32 else {
            report(
                node, "a token is written as the hash of its bytes",
                hint: "`sha256:` and 64 hex digits; `countersign caller new` prints it")
            return nil
        }
        return hash
    }

    private mutating func callerLimits(_ node: YAMLNode) -> CallerLimits {
        let keys = mapping(node, "`limits`", allowed: ["open", "connections", "longest_wait"])
        var limits = CallerLimits()
        if let open = keys["open"].flatMap({ integer($0, "`open`", 1...90) }) { limits.open = open }
        if let connections = keys["connections"].flatMap({ integer($0, "`connections`", 1...10_000) }) {
            limits.connections = connections
        }
        if let wait = keys["longest_wait"].flatMap({ duration($0, "`longest_wait`", .zero...(.seconds(300))) }) {
            limits.longestWait = wait
        }
        return limits
    }
}
