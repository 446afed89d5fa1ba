/// The two clocks and the one way to wait, handed in wherever time matters.
///
/// The real one reads the machine's clocks (`Transport`); tests hand in a `ManualClock`.
package struct TimeSource: Sendable {
    /// Now on the monotonic clock: for durations, cadences and time limits.
    package let now: @Sendable () -> Instant
    /// Now on the wall clock: for what is written down, signed or compared with a server's time.
    package let wall: @Sendable () -> UnixTime
    /// Suspends until the instant is reached; throws `CancellationError` when the task is cancelled first.
    package let sleep: @Sendable (_ until: Instant) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Instant,
        wall: @escaping @Sendable () -> UnixTime,
        sleep: @escaping @Sendable (_ until: Instant) async throws -> Void
    ) {
        self.now = now
        self.wall = wall
        self.sleep = sleep
    }
}
