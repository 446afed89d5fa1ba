/// No storm when MimiKey has too many unfinished requests of this grant: creates rest, for everybody, until it may have
/// room again. Its `Retry-After` counts (at most 120 s); without one it is 5, 10, 20, 40, then 60 s. A success resets it.
package struct CardBackOff: Hashable, Sendable {
    package static let pauses: [Duration] = [.seconds(5), .seconds(10), .seconds(20), .seconds(40), .seconds(60)]
    package static let longestRetryAfter = Duration.seconds(120)

    private var refusals = 0
    private var until: Instant?

    package init() {}

    /// MimiKey answered `too_many_requests`. Gives how long the rest lasts. Refusals of creates that were under way when the
    /// rest began are of the same moment: they make it longer only by a longer `Retry-After`.
    package mutating func refused(at now: Instant, retryAfter: Duration?) -> Duration {
        let wanted = retryAfter.map { min(max($0, .seconds(1)), Self.longestRetryAfter) }
        if let remaining = remaining(at: now) {
            until = now + max(remaining, wanted ?? .zero)
        } else {
            until = now + (wanted ?? Self.pauses[min(refusals, Self.pauses.count - 1)])
            refusals += 1
        }
        return remaining(at: now) ?? .zero
    }

    package mutating func succeeded() {
        refusals = 0
        until = nil
    }

    /// `nil`: a card may be asked for.
    package func remaining(at now: Instant) -> Duration? {
        guard let until, now < until else { return nil }
        return until - now
    }
}
