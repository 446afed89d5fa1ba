package import Core

/// How slow a peer may be: it has to send, or take, so many bytes in each period, or it is cut.
///
/// Only the time counts in which we wait for it, so our own slowness is not held against it.
package struct Pace: Hashable, Sendable {
    private let bytes: Int
    private let period: Duration
    private var moved = 0
    private var waited = Duration.zero

    package init(bytes: Int, in period: Duration) {
        self.bytes = bytes
        self.period = period
    }

    /// When a wait that begins now has to end.
    package func deadline(from now: Instant) -> Instant { now + (period - waited) }

    /// So many bytes have moved during a wait. With enough of them the next period begins.
    package mutating func add(_ count: Int, waited duration: Duration) {
        moved += count
        waited += duration
        if moved >= bytes {
            moved = 0
            waited = .zero
        }
    }
}
