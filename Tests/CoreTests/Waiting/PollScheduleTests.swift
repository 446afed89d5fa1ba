import Core
import Testing

struct PollScheduleTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private let start = Self.start

    private func at(_ seconds: Double) -> Instant { start + .milliseconds(Int64(seconds * 1000)) }

    private func schedule(deadline: Double = 600) -> PollSchedule {
        PollSchedule(deadline: at(deadline), startedAt: start)
    }

    /// Follows the steps from `time` on, each poll answered after `latency`; returns when the polls began and when it
    /// was given up.
    private func run(
        _ schedule: inout PollSchedule, from time: Double, latency: Double = 0,
        end: (inout PollSchedule, Instant) -> Void = { schedule, now in schedule.answered(at: now) }
    ) -> (polls: [Double], gaveUpAt: Double) {
        var now = at(time)
        var polls: [Double] = []
        while polls.count < 1000 {
            switch schedule.step(at: now) {
            case .giveUp: return (polls, seconds(now))
            case .wait(let until):
                #expect(until > now, "a wait that is already over")
                now = until
            case .poll:
                polls.append(seconds(now))
                now = now + .milliseconds(Int64(latency * 1000))
                end(&schedule, now)
            }
        }
        Issue.record("never given up")
        return (polls, 0)
    }

    private func seconds(_ instant: Instant) -> Double { Double((instant - start).wholeNanoseconds) / 1e9 }

    @Test func `the first look comes one interval after the request was made`() {
        var schedule = schedule()
        #expect(schedule.step(at: at(0)) == .wait(until: at(2)))
        #expect(schedule.step(at: at(1.999)) == .wait(until: at(2)))
        #expect(schedule.step(at: at(2)) == .poll)
    }

    @Test func `the cadence counts from the previous answer`() {
        var schedule = schedule()
        #expect(schedule.step(at: at(2)) == .poll)
        schedule.answered(at: at(5))
        #expect(schedule.step(at: at(5)) == .wait(until: at(7)))
        #expect(schedule.step(at: at(7)) == .poll)
        schedule.failed(at: at(8))
        #expect(schedule.step(at: at(8)) == .wait(until: at(10)))
    }

    @Test func `a hint brings the next look forward, to 1 s after the previous answer`() {
        var schedule = schedule()
        schedule.hint(at: at(0.1))
        #expect(schedule.step(at: at(0.1)) == .wait(until: at(1)))
        #expect(schedule.step(at: at(1)) == .poll)
        schedule.answered(at: at(1.2))
        #expect(schedule.step(at: at(1.2)) == .wait(until: at(3.2)))
        schedule.hint(at: at(2.5))
        #expect(schedule.step(at: at(2.5)) == .poll)
    }

    @Test func `hints in a row are looks 1 s apart`() {
        var schedule = schedule()
        var polls: [Double] = []
        for tick in 0...100 {
            let now = at(Double(tick) / 10)
            schedule.hint(at: now)
            if schedule.step(at: now) == .poll {
                polls.append(seconds(now))
                schedule.answered(at: now)
            }
        }
        #expect(polls == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test func `a hint during a poll is not answered by that poll`() {
        var schedule = schedule()
        #expect(schedule.step(at: at(2)) == .poll)
        schedule.hint(at: at(2.5))
        schedule.answered(at: at(3))
        #expect(schedule.step(at: at(3)) == .wait(until: at(4)))
    }

    @Test func `a late caller of step polls at once, not twice`() {
        var schedule = schedule()
        #expect(schedule.step(at: at(100)) == .poll)
        schedule.answered(at: at(100))
        #expect(schedule.step(at: at(100)) == .wait(until: at(102)))
    }

    @Test func `AP-06 Retry-After is honoured and kept`() {
        var schedule = schedule()
        #expect(schedule.step(at: at(2)) == .poll)
        schedule.answered(at: at(2), retryAfter: .seconds(7))
        schedule.hint(at: at(3))
        #expect(schedule.step(at: at(3)) == .wait(until: at(9)))
        #expect(schedule.step(at: at(9)) == .poll)
        schedule.answered(at: at(9))
        #expect(schedule.step(at: at(9)) == .wait(until: at(16)))
        schedule.hint(at: at(10))
        #expect(schedule.step(at: at(10)) == .poll)
    }

    @Test(arguments: [(121, 120), (86_400, 120), (120, 120), (1, 2), (0, 2), (-5, 2)])
    func `AP-06 Retry-After never shortens the cadence and counts up to 120 s`(asked: Int, pause: Int) {
        var schedule = schedule()
        #expect(schedule.step(at: at(2)) == .poll)
        schedule.answered(at: at(2), retryAfter: .seconds(asked))
        #expect(schedule.step(at: at(2)) == .wait(until: at(2) + .seconds(pause)))
    }

    @Test func `it gives up 15 s past the deadline`() {
        var schedule = schedule(deadline: 10)
        let (polls, gaveUpAt) = run(&schedule, from: 0)
        #expect(polls == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24])
        #expect(gaveUpAt == 25)
    }

    @Test func `AP-13 the last look comes after the deadline`() {
        var schedule = schedule(deadline: 10)
        #expect(schedule.step(at: at(8.1)) == .poll)
        schedule.answered(at: at(8.1))
        #expect(schedule.step(at: at(8.1)) == .wait(until: at(10.1)))
        #expect(schedule.step(at: at(10.1)) == .poll)
    }

    @Test(arguments: [3.0, 9.9, 12.0])
    func `AP-13 a long Retry-After cannot take the last look away`(answered: Double) {
        var schedule = schedule(deadline: 10)
        #expect(schedule.step(at: at(answered)) == .poll)
        schedule.answered(at: at(answered), retryAfter: .seconds(120))
        let (polls, gaveUpAt) = run(&schedule, from: answered)
        #expect(polls == (answered < 10 ? [25] : []))
        #expect(gaveUpAt == 25)
    }

    @Test func `AP-13 a poll that straddles the deadline is not the last look`() {
        var schedule = schedule(deadline: 10)
        #expect(schedule.step(at: at(9.9)) == .poll)
        schedule.failed(at: at(39.9))
        #expect(schedule.step(at: at(39.9)) == .wait(until: at(40.9)))
        #expect(schedule.step(at: at(40.9)) == .poll)
        schedule.failed(at: at(41))
        #expect(schedule.step(at: at(41)) == .giveUp)
    }

    @Test func `after a long sleep there is one last look`() {
        var schedule = schedule(deadline: 10)
        let (polls, gaveUpAt) = run(&schedule, from: 30_000)
        #expect(polls == [30_000])
        #expect(gaveUpAt == 30_000)
    }

    @Test func `a deadline that was over from the start gets one look`() {
        var schedule = schedule(deadline: -3600)
        let (polls, gaveUpAt) = run(&schedule, from: 0)
        #expect(polls == [1])
        #expect(gaveUpAt == 1)
    }

    @Test func `150 transport failures in a row are the end`() {
        var schedule = schedule(deadline: 100_000)
        let (polls, _) = run(&schedule, from: 0) { schedule, now in schedule.failed(at: now) }
        #expect(polls.count == 150)
    }

    @Test func `any answer resets the count of failures`() {
        var schedule = schedule(deadline: 100_000)
        var count = 0
        let (polls, _) = run(&schedule, from: 0) { schedule, now in
            count += 1
            if count == 149 { schedule.answered(at: now) } else { schedule.failed(at: now) }
        }
        #expect(polls.count == 149 + 150)
    }

    @Test func `the server may move the deadline`() {
        var schedule = schedule(deadline: 10)
        schedule.move(deadline: at(20))
        let (polls, gaveUpAt) = run(&schedule, from: 0)
        #expect(polls.last == 34)
        #expect(gaveUpAt == 35)
    }

    @Test func `slow answers keep 2 s between them`() {
        var schedule = schedule(deadline: 10)
        let (polls, gaveUpAt) = run(&schedule, from: 0, latency: 3)
        #expect(polls == [2, 7, 12, 17, 22])
        #expect(gaveUpAt == 25)
    }

    @Test func `a look is put off by what was drawn for it, by 500 ms at most, and never comes early`() {
        for (drawn, later) in [(0, 0), (300, 300), (500, 500), (501, 500), (90_000, 500), (-700, 0)] {
            var schedule = PollSchedule(
                deadline: at(600), startedAt: start, spread: .milliseconds(drawn))
            #expect(schedule.step(at: at(0)) == .wait(until: at(2) + .milliseconds(later)))
            #expect(schedule.step(at: at(3)) == .poll)
            schedule.answered(at: at(3), spread: .milliseconds(drawn))
            #expect(schedule.step(at: at(3)) == .wait(until: at(5) + .milliseconds(later)))
            #expect(schedule.step(at: at(6)) == .poll)
            schedule.failed(at: at(6), spread: .milliseconds(drawn))
            #expect(schedule.step(at: at(6)) == .wait(until: at(8) + .milliseconds(later)))
        }
    }

    @Test func `a hint is not put off`() {
        var schedule = PollSchedule(deadline: at(600), startedAt: start, spread: .milliseconds(500))
        schedule.hint(at: at(0.1))
        #expect(schedule.step(at: at(0.1)) == .wait(until: at(1)))
    }

    @Test func `AP-06 who were told the same Retry-After come back spread`() {
        var schedule = schedule()
        #expect(schedule.step(at: at(2)) == .poll)
        schedule.answered(at: at(2), retryAfter: .seconds(7), spread: .milliseconds(400))
        #expect(schedule.step(at: at(2)) == .wait(until: at(9.4)))
    }

    @Test func `ninety waits that begin together are spread over half a second, and stay so`() {
        var looks: [Int: [Int64]] = [:]
        for number in 0..<90 {
            // What a random source would draw: anything, here in an order that repeats for nobody.
            var drawn = number
            func next() -> Duration {
                drawn = (drawn * 181 + 57) % 501
                return .milliseconds(drawn)
            }
            var schedule = PollSchedule(deadline: at(600), startedAt: start, spread: next())
            var now = start
            for round in 0..<5 {
                guard case .wait(let until) = schedule.step(at: now) else {
                    Issue.record("no pause")
                    return
                }
                #expect(until - now >= .seconds(2) && until - now <= .milliseconds(2500))
                #expect(schedule.step(at: until) == .poll)
                looks[round, default: []].append((until - start).wholeNanoseconds / 50_000_000)
                schedule.answered(at: until, spread: next())
                now = until
            }
        }
        for round in 0..<5 {
            let fullest = Dictionary(grouping: looks[round] ?? []) { $0 }.values.map(\.count).max() ?? 90
            #expect(fullest <= 30, "\(fullest) of 90 looks in 50 ms")
        }
    }
}
