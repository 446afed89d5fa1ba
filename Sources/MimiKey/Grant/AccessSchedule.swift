import Core

/// Decides whether the access token is used as it is, renewed first, or cannot be had.
///
/// A refresh token is spent by being offered, and offering a spent one revokes the grant: so this says when it may be
/// offered, and everything else keeps to it.
struct AccessSchedule: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case use
        /// Offer the refresh token.
        case refresh
        /// New tokens came but could not be written down: write them down now.
        case store
        case refuse(Problem)
    }

    private enum Phase: Hashable, Sendable {
        case idle
        /// The server certainly did not rotate; offered again from `notBefore` on.
        case failed(Problem, count: Int, notBefore: Instant)
        /// The server rotated, the new tokens are only in memory.
        case unstored(Problem, count: Int, notBefore: Instant)
        /// Nobody knows whether it rotated. Only the operator's word leads out of here; the problem is what came of that last.
        case unknown(UnknownCause, Problem?)
    }

    /// [D] Fewer remaining seconds than these call for a refresh.
    static let margin = Duration.seconds(30)
    /// [ours] Refreshes are at least this far apart, whatever lifetimes the server gives.
    static let floor = Duration.seconds(30)

    private var validUntil: Instant
    private var lastRefresh: Instant?
    private var phase: Phase

    init(validUntil: Instant, unknown: UnknownCause? = nil) {
        self.validUntil = validUntil
        phase = unknown.map { .unknown($0, nil) } ?? .idle
    }

    var isUnknown: Bool { unknownCause != nil }

    var unknownCause: UnknownCause? { if case .unknown(let cause, _) = phase { cause } else { nil } }

    /// Why there are no new tokens, when there should be.
    var trouble: Problem? {
        switch phase {
        case .idle: nil
        case .failed(let problem, _, _), .unstored(let problem, _, _): problem
        case .unknown(let cause, let problem): problem ?? cause.problem
        }
    }

    func isAlive(at now: Instant) -> Bool { validUntil > now }

    func step(at now: Instant) -> Step {
        if validUntil - now >= Self.margin { return .use }
        let step = renewal(at: now, tooSoon: Self.tooSoon)
        if case .refuse = step, isAlive(at: now) { return .use }
        return step
    }

    /// What follows when the operator wants new tokens although these are still good: never `use`.
    func demanded(at now: Instant) -> Step { renewal(at: now, tooSoon: Self.demandedTooSoon) }

    private func renewal(at now: Instant, tooSoon: Problem) -> Step {
        switch phase {
        case .unknown(let cause, _):
            return .refuse(cause.problem)
        case .failed(let problem, _, let notBefore) where now < notBefore,
            .unstored(let problem, _, let notBefore) where now < notBefore:
            return .refuse(problem.after(notBefore - now))
        case .unstored:
            return .store
        case .failed, .idle:
            guard let lastRefresh, now < lastRefresh + Self.floor else { return .refresh }
            return .refuse(tooSoon.after(lastRefresh + Self.floor - now))
        }
    }

    /// The server does not take the access token although it should be valid.
    mutating func rejected(at now: Instant) { validUntil = min(validUntil, now) }

    /// New tokens are written down.
    mutating func renewed(validUntil: Instant, at now: Instant) {
        self.validUntil = validUntil
        lastRefresh = now
        phase = .idle
    }

    /// Certainly not rotated: again after 1, 2, 4, … 30 s, or when the server says.
    ///
    /// After an unknown outcome this says nothing of the offer before, so that it stays unknown.
    mutating func failed(_ problem: Problem, at now: Instant, retryAfter: Duration? = nil) {
        if let unknownCause {
            phase = .unknown(unknownCause, problem)
            return
        }
        var count = 0
        if case .failed(_, let earlier, _) = phase { count = earlier + 1 }
        phase = .failed(problem, count: count, notBefore: now + max(Self.pause(count), retryAfter ?? .zero))
    }

    /// Rotated, but not written down.
    mutating func couldNotStore(_ problem: Problem, at now: Instant) {
        var count = 0
        if case .unstored(_, let earlier, _) = phase { count = earlier + 1 }
        phase = .unstored(problem, count: count, notBefore: now + Self.pause(count))
    }

    mutating func becameUnknown() { phase = .unknown(.answerLost, nil) }

    private static func pause(_ count: Int) -> Duration { min(.seconds(1 << min(count, 5)), .seconds(30)) }

    private static let tooSoon = Problem(
        Wire.Code.tokenExpired, "The access token was not accepted, and it was refreshed a moment ago.",
        retryable: true)
    private static let demandedTooSoon = Problem(.tooSoon, "The tokens were renewed less than 30 s ago.")
}

extension Problem {
    fileprivate func after(_ pause: Duration) -> Problem {
        var problem = self
        problem.retryAfter = pause
        return problem
    }
}
