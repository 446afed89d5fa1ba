/// Decides when MimiKey is asked again about one request (protocol §5): every 2 s after the previous answer, sooner
/// when something says so but never closer than 1 s, until 15 s past the deadline, with one last look after it.
///
/// Waits that began together, after a start or when MimiKey is back, are spread: each look comes up to 500 ms later than
/// its cadence has it. Who draws the delay hands it in.
///
/// `Retry-After` binds the next look, hints included, and the cadence from then on; only the last look, which comes at
/// the latest 15 s past the deadline, does not wait for it.
package struct PollSchedule: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Ask now.
        case poll
        /// Nothing to do until then.
        case wait(until: Instant)
        /// Give up: no result 15 s past the deadline, or 150 transport failures in a row.
        case giveUp
    }

    /// The least time between an answer and an early look.
    package static let shortestPause = Duration.seconds(1)
    /// How long after the deadline a result may still come.
    package static let grace = Duration.seconds(15)
    /// Transport failures in a row after which nothing more is tried.
    package static let mostFailures = 150
    /// The most that a look is put off.
    package static let longestSpread = Duration.milliseconds(500)
    /// A longer `Retry-After` is taken for this one.
    package static let longestRetryAfter = Duration.seconds(120)

    private var interval: Duration
    private var deadline: Instant
    /// When the last poll came to its end; at first, when the request was made.
    private var previous: Instant
    /// Set by `Retry-After`.
    private var notBefore: Instant?
    private var hintedAt: Instant?
    private var pollStartedAt: Instant?
    /// When the last poll began that came to its end.
    private var lookedAt: Instant?
    private var failures = 0
    /// How much later than by the cadence the next look comes.
    private var spread: Duration

    /// - Parameters:
    ///   - interval: the cadence, after the previous answer; at least 2 s unless a test says otherwise.
    ///   - deadline: MimiKey's `expires_at`, on the monotonic clock.
    ///   - startedAt: when the request was made; the first look comes one interval later.
    ///   - spread: from 0 to `longestSpread`, here and below.
    package init(
        interval: Duration = .seconds(2), deadline: Instant, startedAt: Instant, spread: Duration = .zero
    ) {
        self.interval = interval
        self.deadline = deadline
        previous = startedAt
        self.spread = Self.bounded(spread)
    }

    /// What to do now. After `.poll`, tell how it ended: `answered` or `failed`.
    package mutating func step(at now: Instant) -> Step {
        if failures >= Self.mostFailures { return .giveUp }
        let end = deadline + Self.grace
        let hasLooked = lookedAt.map { $0 >= deadline } ?? false
        if hasLooked, now >= end { return .giveUp }
        let next = hasLooked ? min(nextLook, end) : min(nextLook, max(end, previous + Self.shortestPause))
        if now < next { return .wait(until: next) }
        pollStartedAt = now
        return .poll
    }

    private var nextLook: Instant {
        let pause = hintedAt == nil ? interval + spread : min(interval, Self.shortestPause)
        return max(previous + pause, notBefore ?? previous)
    }

    /// A callback, a retry or a new waiter: look soon.
    package mutating func hint(at now: Instant) { hintedAt = now }

    /// A poll was answered, by whatever status. `retryAfter`: the server asks for a longer pause (at most 120 s honoured).
    package mutating func answered(at now: Instant, retryAfter: Duration? = nil, spread: Duration = .zero) {
        finished(at: now, spread)
        failures = 0
        guard let retryAfter else { return }
        let pause = min(max(retryAfter, .zero), Self.longestRetryAfter)
        notBefore = now + pause
        interval = max(interval, pause)
    }

    /// A poll failed in transport.
    package mutating func failed(at now: Instant, spread: Duration = .zero) {
        finished(at: now, spread)
        failures += 1
    }

    /// The server moved the deadline.
    package mutating func move(deadline: Instant) { self.deadline = deadline }

    /// The same, by as much as the server's own times differ.
    package mutating func move(by difference: Duration) { deadline = deadline + difference }

    /// A hint that came while the poll was under way stays: the answer may be older than what the hint is about.
    private mutating func finished(at now: Instant, _ spread: Duration) {
        self.spread = Self.bounded(spread)
        let started = pollStartedAt ?? now
        if let hint = hintedAt, hint <= started { hintedAt = nil }
        lookedAt = started
        pollStartedAt = nil
        previous = now
        notBefore = nil
    }

    private static func bounded(_ spread: Duration) -> Duration { min(max(spread, .zero), longestSpread) }
}
