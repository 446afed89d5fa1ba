import Core
import Testing

@testable import MimiKey

/// When the access token is used, and when the refresh token is offered.
struct AccessScheduleTests {
    private let start = Instant(nanoseconds: 0)
    private let failure = Problem(.upstreamUnreachable, "gone")

    private func at(_ seconds: Int64) -> Instant { start + .seconds(seconds) }

    private func code(_ step: AccessSchedule.Step) -> ErrorCode? {
        if case .refuse(let problem) = step { problem.code } else { nil }
    }

    @Test func `it is used down to 30 s, then refreshed`() {
        let schedule = AccessSchedule(validUntil: at(3600))
        #expect(schedule.step(at: at(3570)) == .use)
        #expect(schedule.step(at: at(3571)) == .refresh)
        #expect(schedule.step(at: at(9999)) == .refresh)
    }

    @Test func `TK-15 refreshes are at least 30 s apart, however short the lifetime`() {
        var schedule = AccessSchedule(validUntil: at(10))
        schedule.renewed(validUntil: at(20), at: at(0))
        #expect(schedule.step(at: at(19)) == .use)
        #expect(code(schedule.step(at: at(20))) == Wire.Code.tokenExpired)
        #expect(schedule.step(at: at(30)) == .refresh)
    }

    @Test func `TK-19 a token that is not accepted is renewed at once`() {
        var schedule = AccessSchedule(validUntil: at(3600))
        schedule.rejected(at: at(5))
        #expect(schedule.step(at: at(5)) == .refresh)
    }

    @Test func `TK-09 failures are followed by longer and longer pauses, at most 30 s`() {
        var schedule = AccessSchedule(validUntil: at(0))
        var now = at(0)
        for pause in [1, 2, 4, 8, 16, 30, 30, 30] as [Int64] {
            #expect(schedule.step(at: now) == .refresh)
            schedule.failed(failure, at: now)
            #expect(code(schedule.step(at: now + (.seconds(pause) - .milliseconds(1)))) == .upstreamUnreachable)
            now = now + .seconds(pause)
        }
    }

    @Test func `a server's Retry-After makes the pause longer, never shorter`() {
        var schedule = AccessSchedule(validUntil: at(0))
        schedule.failed(failure, at: at(0), retryAfter: .seconds(90))
        #expect(code(schedule.step(at: at(89))) == .upstreamUnreachable)
        #expect(schedule.step(at: at(90)) == .refresh)
    }

    @Test func `after a failure the access token is used while it lives`() {
        var schedule = AccessSchedule(validUntil: at(20))
        schedule.failed(failure, at: at(0), retryAfter: .seconds(60))
        #expect(schedule.step(at: at(19)) == .use)
        #expect(code(schedule.step(at: at(20))) == .upstreamUnreachable)
    }

    @Test func `TK-08 with an unknown outcome nothing is offered, ever`() {
        var schedule = AccessSchedule(validUntil: at(20))
        schedule.becameUnknown()
        #expect(schedule.step(at: at(19)) == .use)
        #expect(code(schedule.step(at: at(20))) == .refreshUnknown)
        #expect(code(schedule.step(at: at(1_000_000))) == .refreshUnknown)
        #expect(schedule.isUnknown)
    }

    @Test func `TK-05 tokens that could not be stored are stored before anything is offered`() {
        var schedule = AccessSchedule(validUntil: at(0))
        schedule.couldNotStore(Problem(.storage, "full"), at: at(0))
        #expect(code(schedule.step(at: at(0))) == .storage)
        #expect(schedule.step(at: at(1)) == .store)
        schedule.renewed(validUntil: at(3600), at: at(1))
        #expect(schedule.step(at: at(1)) == .use)
    }
}
