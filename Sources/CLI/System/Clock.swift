import Core
import Glibc

/// The machine's clocks.
enum Clock {
    static let source = TimeSource(
        now: { Instant(nanoseconds: nanoseconds(of: CLOCK_BOOTTIME)) },
        wall: { UnixTime(nanoseconds: nanoseconds(of: CLOCK_REALTIME)) },
        sleep: { instant in
            let rest = instant.nanoseconds - nanoseconds(of: CLOCK_BOOTTIME)
            if rest > 0 { try await Task.sleep(for: .nanoseconds(rest)) } else { try Task.checkCancellation() }
        })

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
