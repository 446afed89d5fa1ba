import Core
import Glibc

/// The machine's clocks.
enum Clocks {
    /// `CLOCK_BOOTTIME`: goes on while the machine sleeps, and nobody can set it.
    static func monotonic() -> Instant { Instant(nanoseconds: read(CLOCK_BOOTTIME)) }

    /// `CLOCK_REALTIME`.
    static func wall() -> UnixTime { UnixTime(nanoseconds: read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
