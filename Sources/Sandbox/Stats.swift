import Core

/// What the sandbox has seen, for tests that count.
struct Stats: Sendable {
    private var calls: [String: Int] = [:]
    private var refusals: [String: Int] = [:]
    private var manners: [Manner: Int] = [:]
    /// Attempts, whatever came of them.
    var authorizationCodeExchanges = 0
    /// Attempts, whatever came of them.
    var refreshes = 0
    /// Rotated tokens that were presented again.
    var reuses = 0
    var requestsCreated = 0
    var requestsCancelled = 0
    var patchesUploaded = 0
    var grantsRevoked = 0
    private var polls = Beat()
    private var pollsByRequest = BoundedMap<Beat>(capacity: 20_000)

    /// How many are listed one by one; the largest number is of all.
    private static let listed = 1000

    mutating func saw(_ route: Route, at now: UnixTime) {
        calls["\(route.method) \(route.pattern)", default: 0] += 1
        if case .request = route { polls.count(at: now) }
    }

    /// Of a request that there is.
    mutating func polled(_ id: String, at now: UnixTime) {
        if pollsByRequest[id] == nil { pollsByRequest.insert(Beat(), for: id) }
        pollsByRequest.update(id) { $0.count(at: now) }
    }

    /// `name` is a code of ours, never input.
    mutating func refused(_ name: String) { refusals[name, default: 0] += 1 }

    mutating func struck(_ manner: Manner) { manners[manner, default: 0] += 1 }

    var json: JSON {
        let beats = pollsByRequest.keys.compactMap { id in pollsByRequest[id].map { (id, $0) } }
        return [
            "requests": Stats.object(calls), "refusals": Stats.object(refusals),
            "manners": .object(
                Manner.allCases.compactMap { manner in
                    manners[manner].map { .init(manner.rawValue, .integer(Int64($0))) }
                }),
            "authorization_code_exchanges": .integer(Int64(authorizationCodeExchanges)),
            "refreshes": .integer(Int64(refreshes)), "refresh_tokens_reused": .integer(Int64(reuses)),
            "requests_created": .integer(Int64(requestsCreated)),
            "requests_cancelled": .integer(Int64(requestsCancelled)),
            "patches_uploaded": .integer(Int64(patchesUploaded)), "grants_revoked": .integer(Int64(grantsRevoked)),
            "polls": .integer(Int64(polls.total)), "most_polls_in_a_second": .integer(Int64(polls.most)),
            "most_polls_of_a_request": .integer(Int64(beats.map(\.1.total).max() ?? 0)),
            "most_polls_of_a_request_in_a_second": .integer(Int64(beats.map(\.1.most).max() ?? 0)),
            "polls_by_request": .object(
                beats.suffix(Stats.listed).map { id, beat in .init(id, beat.json) }),
        ]
    }

    private static func object(_ counts: [String: Int]) -> JSON {
        .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer(Int64($0.value))) })
    }
}

/// How often something happens, and how close together.
struct Beat: Sendable {
    private(set) var total = 0
    /// The most in any second.
    private(set) var most = 0
    private var shortest: Duration?
    /// Of the last second.
    private var recent: [UnixTime] = []

    /// More in one second are not told apart.
    private static let counted = 10_000

    mutating func count(at now: UnixTime) {
        total += 1
        if let last = recent.last {
            let gap = now - last
            shortest = min(shortest ?? gap, gap)
        }
        // The last one stays, for the gap; it does not count once it is a second ago.
        let old = recent.firstIndex { now - $0 < .seconds(1) } ?? max(0, recent.count - 1)
        recent.removeFirst(old)
        if recent.count < Beat.counted { recent.append(now) }
        most = max(most, recent.count { now - $0 < .seconds(1) })
    }

    var json: JSON {
        let gap = shortest.map { $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000 }
        return [
            "count": .integer(Int64(total)), "most_in_a_second": .integer(Int64(most)),
            "smallest_gap_ms": gap.map { .integer($0) } ?? nil,
        ]
    }
}
