import Core
import Testing

struct CardBackOffTests {
    private static func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: (1_000 + seconds) * 1_000_000_000) }

    @Test func `AP-08 the rest grows to a minute, and a success ends it`() {
        var backOff = CardBackOff()
        #expect(backOff.remaining(at: Self.at(0)) == nil)
        var now: Int64 = 0
        for pause: Int64 in [5, 10, 20, 40, 60, 60, 60] {
            #expect(backOff.refused(at: Self.at(now), retryAfter: nil) == .seconds(pause))
            #expect(backOff.remaining(at: Self.at(now + pause - 1)) == .seconds(1))
            now += pause
            #expect(backOff.remaining(at: Self.at(now)) == nil)
        }
        backOff.succeeded()
        #expect(backOff == CardBackOff())
    }

    @Test func `Retry-After counts, between a second and two minutes`() {
        for (given, counted) in [(7, 7), (0, 1), (-4, 1), (3600, 120)] as [(Int64, Int64)] {
            var backOff = CardBackOff()
            #expect(backOff.refused(at: Self.at(0), retryAfter: .seconds(given)) == .seconds(counted))
        }
    }

    @Test func `refusals of the same moment are one`() {
        var backOff = CardBackOff()
        _ = backOff.refused(at: Self.at(0), retryAfter: nil)
        #expect(backOff.refused(at: Self.at(1), retryAfter: nil) == .seconds(4))
        #expect(backOff.refused(at: Self.at(2), retryAfter: .seconds(1)) == .seconds(3))
        #expect(backOff.refused(at: Self.at(2), retryAfter: .seconds(30)) == .seconds(30))
        #expect(backOff.refused(at: Self.at(32), retryAfter: nil) == .seconds(10))
    }
}
