import Core
import Strongbox
import Synchronization
import TestSupport

@testable import MimiKey

/// MimiKey as far as tokens go, for one schedule: it rotates refresh tokens, revokes a grant whose token comes twice, and plays
/// the faults that its dice say. It keeps the book of what may be offered again.
final class ModelServer: Sendable {
    /// What is known, at the client's side, of a refresh token that was offered.
    enum Offer {
        /// A complete answer said that nothing was rotated, or no byte left.
        case certainlyKept
        /// Anything else.
        case mayBeSpent
    }

    struct Access {
        let grant: Int
        let expiry: UnixTime
    }

    struct State {
        var dice: Dice
        // MimiKey's side
        var count = 0
        var grants = 0
        /// The current refresh token of each grant.
        var current: [Int: String] = [:]
        /// The grant of each refresh token there ever was.
        var owner: [String: Int] = [:]
        var revoked: Set<Int> = []
        var access: [String: Access] = [:]
        /// The fingerprint of the approval key that a code is bound to.
        var codes: [String: String] = [:]
        // The book
        var offers: [String: Offer] = [:]
        /// The operator said that one token may be offered though it may be spent.
        var word = false
        var refreshing = 0
        var faults: [String] = []
        var tally = Tally()
        // The driver's view
        var outstanding = 0
        var isCrashing = false
        var held: [CheckedContinuation<Bool, Never>] = []
        var watchers: [(isReached: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let clock: ManualClock
    private let store: Store

    init(dice: Dice, clock: ManualClock, store: Store) {
        state = Mutex(State(dice: dice))
        self.clock = clock
        self.store = store
    }

    @discardableResult
    func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, woken) = state.withLock { state -> (Value, [CheckedContinuation<Void, Never>]) in
            let value = body(&state)
            var woken: [CheckedContinuation<Void, Never>] = []
            let watchers = state.watchers
            state.watchers = []
            for watcher in watchers {
                if watcher.isReached(state) {
                    woken.append(watcher.continuation)
                } else {
                    state.watchers.append(watcher)
                }
            }
            return (value, woken)
        }
        for continuation in woken { continuation.resume() }
        return value
    }

    func until(_ isReached: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state -> Bool in
                if isReached(state) { return true }
                state.watchers.append((isReached, continuation))
                return false
            }
            if isNow { continuation.resume() }
        }
    }

    /// Lets go of what is held; `lost`: the process that waited for it is dead.
    func release(lost: Bool = false) {
        let held = change { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume(returning: !lost) }
    }

    /// Waits in the middle of the network. Gives `false` when nobody waits for the answer any more.
    private func hold(crashing: Bool = false) async -> Bool {
        await withCheckedContinuation { continuation in
            change { state in
                state.held.append(continuation)
                if crashing { state.isCrashing = true }
            }
        }
    }

    var send: Send {
        { (request) async throws(SendFailure) -> InboundResponse in
            switch request.target {
            case "/api/oauth/token": try await self.token(request)
            case "/api/oauth/revoke": try await self.revoke(request)
            default: try await self.signed(request)
            }
        }
    }

    // MARK: The token endpoint

    /// What happens to an offer.
    private enum Fate: CaseIterable {
        case answered, refused, neverArrives, lostBefore, lostAfter, timedOut, crashBefore, crashAfter, truncated,
            noRefresh
        case databaseError, tooMany, plainText, gateway, gatewayAfter, revokedClass

        var weight: Int {
            switch self {
            case .answered: 46
            case .neverArrives, .lostBefore, .databaseError: 5
            case .lostAfter, .crashAfter: 7
            case .crashBefore: 5
            case .refused, .timedOut, .tooMany, .plainText, .gateway, .gatewayAfter, .truncated, .noRefresh: 3
            case .revokedClass: 2
            }
        }
    }

    private func token(_ request: OutboundRequest) async throws(SendFailure) -> InboundResponse {
        guard let body = try? JSONDocument(request.body).root else { return Self.error(422, "invalid_input") }
        if let code = body["code"]?.string { return try await exchange(code) }
        let token = body["refresh_token"]?.string ?? ""
        let (fate, holds) = change { state -> (Fate, Bool) in
            let fate = state.dice.pick(Fate.allCases.map { ($0, $0.weight) })
            state.tally.offers += 1
            state.refreshing += 1
            if state.refreshing > 1 { state.faults.append("two refreshes at once") }
            guard fate != .neverArrives else { return (fate, false) }
            if state.offers[token] == .mayBeSpent {
                if state.word {
                    state.word = false
                    state.tally.words += 1
                } else {
                    state.faults.append("a token that may be spent was offered again without the operator's word")
                }
            }
            state.offers[token] = .mayBeSpent
            return (fate, state.dice.isLucky(1, of: 8))
        }
        defer { change { $0.refreshing -= 1 } }
        if holds, await !hold() { throw SendFailure(.closed, bytesMayHaveLeft: true) }
        switch fate {
        case .neverArrives: throw SendFailure(.connectFailed, bytesMayHaveLeft: false)
        case .lostBefore: throw SendFailure(.closed, bytesMayHaveLeft: true)
        case .crashBefore:
            _ = await hold(crashing: true)
            throw SendFailure(.closed, bytesMayHaveLeft: true)
        case .refused: return kept(token, Self.error(400, "invalid_input"))
        case .databaseError: return kept(token, Self.error(500, "database_error"))
        case .tooMany: return kept(token, Self.error(429, "slow_down"))
        case .plainText: return kept(token, InboundResponse(status: 415, body: Array("no".utf8)))
        case .gateway: return InboundResponse(status: 502, body: Array("<html>".utf8))
        case .revokedClass:
            change { state in if let grant = state.owner[token] { state.revoked.insert(grant) } }
            return Self.error(401, "refresh_expired")
        case .answered, .lostAfter, .timedOut, .crashAfter, .truncated, .noRefresh, .gatewayAfter: break
        }
        let answer = rotate(token, withoutRefresh: fate == .noRefresh)
        switch fate {
        case .lostAfter: throw SendFailure(.closed, bytesMayHaveLeft: true)
        case .timedOut: throw SendFailure(.timedOut, bytesMayHaveLeft: true)
        case .crashAfter:
            _ = await hold(crashing: true)
            throw SendFailure(.closed, bytesMayHaveLeft: true)
        case .truncated: return InboundResponse(status: answer.status, body: Array(answer.body.dropLast(2)))
        case .gatewayAfter: return InboundResponse(status: 502, body: Array("<html>".utf8))
        default: return answer
        }
    }

    private func kept(_ token: String, _ answer: InboundResponse) -> InboundResponse {
        change { $0.offers[token] = .certainlyKept }
        return answer
    }

    private func rotate(_ token: String, withoutRefresh: Bool) -> InboundResponse {
        let now = clock.wall
        return change { state in
            guard let grant = state.owner[token] else { return Self.error(401, "invalid_refresh_token") }
            guard !state.revoked.contains(grant) else { return Self.error(401, "grant_revoked") }
            guard state.current[grant] == token else {
                state.revoked.insert(grant)
                state.tally.reuses += 1
                return Self.error(401, "refresh_token_reused")
            }
            state.tally.rotations += 1
            return Self.tokens(&state, grant, now, fingerprint: nil, withoutRefresh: withoutRefresh)
        }
    }

    private static func tokens(
        _ state: inout State, _ grant: Int, _ now: UnixTime, fingerprint: String?, withoutRefresh: Bool = false
    ) -> InboundResponse {
        state.count += 1
        let refresh = "rt_\(state.count)"
        state.current[grant] = refresh
        state.owner[refresh] = grant
        state.access["at_\(state.count)"] = Access(grant: grant, expiry: now + .seconds(3600))
        let lifetime: JSON = state.dice.isLucky(1, of: 12) ? 0 : 3600
        var members: [JSON.Member] = [
            .init("access_token", .string("at_\(state.count)")), .init("token_type", "Bearer"),
            .init("expires_in", lifetime), .init("grant_id", .string("gr_\(grant)")),
        ]
        if !withoutRefresh { members.append(.init("refresh_token", .string(refresh))) }
        if let fingerprint {
            members.append(.init("approval_key_fingerprint", .string(fingerprint)))
            members.append(.init("vaults", [["id": "v_1", "name": "Personal", "mode": 1, "policy": "ask"]]))
        }
        return InboundResponse(status: 200, body: JSON.object(members).encoded())
    }

    // MARK: Authorization

    /// The person consents; gives the query of the callback.
    func consent(to url: String) -> QueryString? {
        guard let query = QueryString(parsing: String(url.dropFirst("mimikey://authorize?".count))),
            let key = query.value("approval_key").flatMap({ Base64URL.decode($0) }), let given = query.value("state")
        else { return nil }
        var callback = QueryString()
        let code = change { state in
            state.count += 1
            state.codes["code_\(state.count)"] = SHA256.hex(key)
            return "code_\(state.count)"
        }
        callback.append("code", code)
        callback.append("state", given)
        return callback
    }

    private func exchange(_ code: String) async throws(SendFailure) -> InboundResponse {
        let (number, holds) = change { ($0.dice.below(20), $0.dice.isLucky(1, of: 8)) }
        if holds, await !hold() { throw SendFailure(.closed, bytesMayHaveLeft: true) }
        if number == 0 { throw SendFailure(.closed, bytesMayHaveLeft: true) }
        let now = clock.wall
        let answer = change { state -> InboundResponse in
            guard number != 1, let fingerprint = state.codes.removeValue(forKey: code) else {
                return Self.error(400, "invalid_code")
            }
            state.grants += 1
            state.tally.grants += 1
            return Self.tokens(&state, state.grants, now, fingerprint: fingerprint)
        }
        if number == 2 { throw SendFailure(.timedOut, bytesMayHaveLeft: true) }
        if number == 3 {
            _ = await hold(crashing: true)
            throw SendFailure(.closed, bytesMayHaveLeft: true)
        }
        return answer
    }

    // MARK: Revocation and signed calls

    private func revoke(_ request: OutboundRequest) async throws(SendFailure) -> InboundResponse {
        let token = (try? JSONDocument(request.body))?.root["token"]?.string ?? ""
        let number = change { $0.dice.below(10) }
        if number == 0 { throw SendFailure(.connectFailed, bytesMayHaveLeft: false) }
        if number == 1 { return Self.error(500, "database_error") }
        let now = clock.wall
        change { state in
            var grant = state.access[token].flatMap { now < $0.expiry ? $0.grant : nil }
            if let owner = state.owner[token], state.current[owner] == token { grant = owner }
            if let grant { state.revoked.insert(grant) }
        }
        if number == 2 { throw SendFailure(.closed, bytesMayHaveLeft: true) }
        if number == 3 {
            _ = await hold(crashing: true)
            throw SendFailure(.closed, bytesMayHaveLeft: true)
        }
        return InboundResponse(status: 200, body: Array(#"{"ok":true}"#.utf8))
    }

    private func signed(_ request: OutboundRequest) async throws(SendFailure) -> InboundResponse {
        let bearer = String((request.fields.text("authorization") ?? "").dropFirst("Bearer ".count))
        let stored = try? await store.loadGrant()
        let now = clock.wall
        return try change { state -> Result<InboundResponse, SendFailure> in
            if let stored, let access = state.access[bearer], stored.grantID == "gr_\(access.grant)" {
                let newest = Int(String(decoding: stored.tokens.access.exposed(), as: UTF8.self).dropFirst(3)) ?? 0
                if Int(bearer.dropFirst(3)) ?? 0 > newest {
                    state.faults.append("an access token was used before it was durable")
                }
            }
            state.tally.calls += 1
            if state.dice.isLucky(1, of: 40) { return .failure(SendFailure(.closed, bytesMayHaveLeft: true)) }
            guard let access = state.access[bearer], !state.dice.isLucky(1, of: 25) else {
                return .success(Self.error(401, "invalid_token"))
            }
            if now >= access.expiry { return .success(Self.error(401, "token_expired")) }
            if state.revoked.contains(access.grant) { return .success(Self.error(401, "grant_revoked")) }
            return .success(
                InboundResponse(status: 200, body: Array(#"{"id":"rq_1","status":"pending","expires_at":1}"#.utf8)))
        }.get()
    }

    private static func error(_ status: Int, _ code: String) -> InboundResponse {
        InboundResponse(status: HTTPStatus(code: status), body: JSON.object([.init("error", .string(code))]).encoded())
    }
}

/// What happened, so that a check that checks nothing is seen.
struct Tally: Sendable {
    var calls = 0
    var offers = 0
    var rotations = 0
    var reuses = 0
    var words = 0
    var grants = 0
    var crashes = 0
    var steps = 0
    var unknowns = 0

    static func += (left: inout Tally, right: Tally) {
        left.calls += right.calls
        left.offers += right.offers
        left.rotations += right.rotations
        left.reuses += right.reuses
        left.words += right.words
        left.grants += right.grants
        left.crashes += right.crashes
        left.steps += right.steps
        left.unknowns += right.unknowns
    }
}

/// SplitMix64: the same seed, the same throws.
struct Dice: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func isLucky(_ count: Int, of all: Int) -> Bool { below(all) < count }

    mutating func pick<Value>(_ choices: [(Value, Int)]) -> Value {
        var number = below(choices.reduce(0) { $0 + $1.1 })
        for (value, weight) in choices {
            if number < weight { return value }
            number -= weight
        }
        preconditionFailure("the weights add up to more than there is")
    }
}
