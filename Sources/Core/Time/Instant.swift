/// A point on the machine's monotonic clock, suspend included (`CLOCK_BOOTTIME`), in nanoseconds since boot.
///
/// Durations are measured on this clock only: it does not jump when somebody sets the time.
package struct Instant: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(nanoseconds: instant.nanoseconds.addingClamped(duration.wholeNanoseconds))
    }

    package static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds.addingClamped(-earlier.nanoseconds))
    }
}

extension Int64 {
    /// Addition that stops at the ends instead of trapping.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to what 64 bits hold (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return product.addingClamped(attoseconds / 1_000_000_000)
    }
}
