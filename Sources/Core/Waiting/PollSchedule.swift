/// Decides when MimiKey is asked again about one request (protocol §5): every 2 s after the previous answer, sooner
/// when something says so but never closer than 1 s, until 15 s past the deadline, with one last look after it.
package struct PollSchedule: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Ask now.
        case poll
        /// Nothing to do until then.
        case wait(until: Instant)
        /// Give up: no result 15 s past the deadline, or 150 transport failures in a row.
        case giveUp
    }

    /// - Parameters:
    ///   - interval: the cadence, after the previous answer; at least 2 s unless a test says otherwise.
    ///   - deadline: MimiKey's `expires_at`, on the monotonic clock.
    package init(interval: Duration = .seconds(2), deadline: Instant, startedAt: Instant) { fatalError() }

    /// What to do now.
    package func step(at now: Instant) -> Step { fatalError() }
    /// A callback, a retry or a new waiter: look soon.
    package mutating func hint(at now: Instant) { fatalError() }
    /// A poll was answered, by whatever status. `retryAfter`: the server asks for a longer pause (at most 120 s honoured).
    package mutating func answered(at now: Instant, retryAfter: Duration? = nil) { fatalError() }
    /// A poll failed in transport.
    package mutating func failed(at now: Instant) { fatalError() }
    /// The server moved the deadline.
    package mutating func move(deadline: Instant) { fatalError() }
}
