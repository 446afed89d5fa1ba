import Core
import Testing

@testable import Server

/// Who gets a place, and who goes for it.
struct ConnectionRosterTests {
    private static func limits(_ connections: Int, porch: Int = 2, perUser: Int = 2) -> ServerLimits {
        var limits = ServerLimits()
        limits.connections = connections
        limits.connectionsPerUser = perUser
        limits.reserved = 1
        limits.porch = porch
        return limits
    }

    private static func moment(_ second: Int64) -> Instant { Instant(nanoseconds: second * 1_000_000_000) }

    private static func activity(_ state: Activity.State) -> Activity {
        let activity = Activity()
        activity.become(state)
        return activity
    }

    private static let busy = Activity.State.busy

    @Test func `as long as there are places nobody goes`() {
        var roster = ConnectionRoster(limits: Self.limits(2))
        for number in 1...2 {
            let admission = roster.admit(.anyone, Self.activity(.idle(since: Self.moment(1))))
            #expect(admission == .init(number: number, place: .house, leaving: nil))
        }
    }

    @Test func `who has waited longest makes room, whether silent or with an unfinished head`() {
        var roster = ConnectionRoster(limits: Self.limits(4))
        let states: [Activity.State] = [
            .head(since: Self.moment(2)), .idle(since: Self.moment(3)), Self.busy, .idle(since: Self.moment(1)),
        ]
        for state in states { _ = roster.admit(.anyone, Self.activity(state)) }
        let gone = (0..<4).map { _ in roster.admit(.anyone, Self.activity(Self.busy)) }
        #expect(gone.map { $0?.leaving } == [4, 1, 2, nil])
        #expect(gone.map { $0?.place } == [.house, .house, .house, .porch])
    }

    @Test func `where all are busy there is the porch, where the silent go first, and then nothing`() {
        var roster = ConnectionRoster(limits: Self.limits(1))
        _ = roster.admit(.anyone, Self.activity(Self.busy))
        let silent = Self.activity(.idle(since: Self.moment(1)))
        _ = roster.admit(.anyone, silent)
        let answered = Self.activity(Self.busy)
        _ = roster.admit(.anyone, answered)
        #expect(
            roster.admit(.anyone, Self.activity(Self.busy)) == .init(number: 4, place: .porch, leaving: 2))
        #expect(silent.state == .claimed && answered.state == .busy)
        #expect(roster.admit(.anyone, Self.activity(Self.busy)) == nil)
        roster.forget(3)
        #expect(roster.admit(.anyone, Self.activity(Self.busy))?.place == .porch)
    }

    @Test func `a user at a Unix socket has a share, and makes room for itself`() {
        var roster = ConnectionRoster(limits: Self.limits(10))
        _ = roster.admit(.user(7), Self.activity(Self.busy))
        _ = roster.admit(.user(7), Self.activity(.idle(since: Self.moment(5))))
        _ = roster.admit(.anyone, Self.activity(.idle(since: Self.moment(1))))
        #expect(roster.admit(.user(7), Self.activity(Self.busy)) == .init(number: 4, place: .house, leaving: 2))
        #expect(roster.admit(.user(7), Self.activity(Self.busy))?.place == .porch)
        #expect(roster.admit(.user(8), Self.activity(Self.busy))?.place == .house)
    }

    @Test func `the operator has a place beyond all others`() {
        var roster = ConnectionRoster(limits: Self.limits(2))
        for _ in 1...2 { _ = roster.admit(.anyone, Self.activity(Self.busy)) }
        #expect(roster.admit(.operators, Self.activity(Self.busy))?.place == .house)
        #expect(roster.admit(.operators, Self.activity(Self.busy))?.place == .porch)
        #expect(roster.admit(.anyone, Self.activity(Self.busy))?.place == .porch)
    }

    @Test func `of those that were told to go only so many are on their way`() {
        var roster = ConnectionRoster(limits: Self.limits(2))
        let idle = { Self.activity(.idle(since: Self.moment(1))) }
        let admissions = (0..<5).map { _ in roster.admit(.anyone, idle()) }
        #expect(admissions.map { $0?.leaving } == [nil, nil, 1, 2, nil])
        #expect(admissions.last??.place == .porch)
        roster.forget(1)
        #expect(roster.admit(.anyone, idle()) == .init(number: 6, place: .house, leaving: 3))
    }

    @Test func `the count is right again when all have gone`() {
        var roster = ConnectionRoster(limits: Self.limits(1))
        for _ in 0..<3 {
            let numbers = (0..<3).compactMap { _ in roster.admit(.user(1), Self.activity(Self.busy))?.number }
            #expect(numbers.count == 3 && !roster.isEmpty)
            for number in numbers { roster.forget(number) }
            #expect(roster.isEmpty)
        }
    }

    @Test func `who has just come, and was not looked at yet, does not have to go`() {
        var roster = ConnectionRoster(limits: Self.limits(1))
        _ = roster.admit(.anyone, Activity())
        #expect(roster.admit(.anyone, Activity())?.place == .porch)
    }

    @Test func `a request and a claim exclude each other`() {
        let activity = Self.activity(.idle(since: Self.moment(1)))
        let seen = activity.state
        #expect(activity.become(.busy))
        #expect(!activity.claim(from: seen))
        activity.become(.idle(since: Self.moment(2)))
        #expect(!activity.claim(from: seen) && activity.claim(from: activity.state))
        #expect(!activity.become(.busy) && activity.state == .claimed)
    }
}
