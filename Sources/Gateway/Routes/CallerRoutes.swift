import Core

/// What a caller can learn of itself.
enum CallerRoutes {
    static let all = [Route(.get, "/v1/whoami", for: .caller, whoami)]

    private static func whoami(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let caller = try context.caller
        let open = await context.services.asks.openCount(of: caller.name)
        return .json([
            "caller": .string(caller.name.rawValue),
            "known_by": context.uid == nil ? "token" : "socket",
            "uid": context.uid.map { .integer(Int64($0)) } ?? .null,
            "may": .array(caller.policy.rules.map(json)),
            "limits": [
                "open": .integer(Int64(caller.limits.open)), "open_now": .integer(Int64(open)),
                "connections": .integer(Int64(caller.limits.connections)),
            ],
            "default_wait": .integer(min(AskRoutes.defaultWait, caller.limits.longestWait).components.seconds),
            "longest_wait": .integer(caller.limits.longestWait.components.seconds),
            "sandbox": .bool(context.services.isSandbox),
        ])
    }

    private static func json(_ rule: Rule) -> JSON {
        [
            "ops": texts(rule.ops.map(\.rawValue).sorted()),
            "hosts": rule.hosts.map { texts($0.map(\.description)) } ?? "any",
            "vaults": rule.vaults.map(texts) ?? "any",
            "items": rule.items.map { texts($0.sorted()) } ?? "any",
            "kinds": rule.kinds.map { texts($0.sorted()) } ?? "any",
            "fields": json(rule.fields),
            "writes": json(rule.writes),
            "trust": .bool(rule.allowsTrust),
        ]
    }

    private static func json(_ selection: FieldSelection) -> JSON {
        switch selection {
        case .all: "all"
        case .only(let names): texts(names.sorted())
        }
    }

    private static func texts(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
}
