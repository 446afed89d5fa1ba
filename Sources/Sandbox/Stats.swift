import Core

/// What the sandbox has seen, for tests that count.
struct Stats: Hashable, Sendable {
    private var calls: [String: Int] = [:]
    private var refusals: [String: Int] = [:]
    /// Attempts, whatever came of them.
    var authorizationCodeExchanges = 0
    /// Attempts, whatever came of them.
    var refreshes = 0
    var requestsCreated = 0
    private var polls = 0

    mutating func saw(_ route: Route) {
        calls["\(route.method) \(route.pattern)", default: 0] += 1
        if case .request = route { polls += 1 }
    }

    /// `name` is a code of ours, never input.
    mutating func refused(_ name: String) { refusals[name, default: 0] += 1 }

    var json: JSON {
        [
            "requests": Stats.object(calls), "refusals": Stats.object(refusals),
            "authorization_code_exchanges": .integer(Int64(authorizationCodeExchanges)),
            "refreshes": .integer(Int64(refreshes)), "requests_created": .integer(Int64(requestsCreated)),
            "polls": .integer(Int64(polls)),
        ]
    }

    private static func object(_ counts: [String: Int]) -> JSON {
        .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer(Int64($0.value))) })
    }
}
