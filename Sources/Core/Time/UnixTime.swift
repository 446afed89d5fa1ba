/// A point on the wall clock: nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct UnixTime: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds, rounded down (also before 1970).
    package var seconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    package static func < (left: UnixTime, right: UnixTime) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (time: UnixTime, duration: Duration) -> UnixTime {
        UnixTime(nanoseconds: time.nanoseconds.addingClamped(duration.wholeNanoseconds))
    }

    package static func - (later: UnixTime, earlier: UnixTime) -> Duration {
        .nanoseconds(later.nanoseconds.addingClamped(-earlier.nanoseconds))
    }
}
