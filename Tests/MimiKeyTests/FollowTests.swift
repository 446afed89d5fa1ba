import Core
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

struct FollowTests {
    /// Follows a request and keeps what it said on the way.
    private final class Follower: Sendable {
        let hints: AsyncStream<Void>.Continuation
        let task: Task<Result<RequestSnapshot, Problem>, Never>

        init(_ house: House, _ snapshot: RequestSnapshot) {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            hints = continuation
            let (updates, update) = AsyncStream<AskState>.makeStream()
            self.updates = updates
            task = Task {
                do throws(Problem) {
                    return .success(
                        try await house.client.follow(
                            snapshot.id, expiresAt: snapshot.expiresAt ?? house.clock.wall, hints: stream
                        ) { update.yield($0.state) })
                } catch { return .failure(error) }
            }
        }

        let updates: AsyncStream<AskState>
        var code: ErrorCode? {
            get async {
                if case .failure(let problem) = await task.value { problem.code } else { nil }
            }
        }
    }

    private func polls(_ house: House, _ id: String) -> Int { house.fake.received("/api/oauth/requests/\(id)").count }

    /// Moves the clock whenever the follower sleeps, until it ends.
    private func run(_ house: House, _ follower: Follower, step: Duration = .seconds(2)) async {
        let ended = Mutex(false)
        let clock = house.clock
        // Once the follower has ended, this one sleeps in its place.
        let sentinel = Task {
            _ = await follower.task.value
            ended.withLock { $0 = true }
            try? await clock.source.sleep(clock.now + .seconds(1_000_000))
        }
        while true {
            await clock.untilSleeping()
            if ended.withLock({ $0 }) { break }
            clock.advance(by: step)
        }
        sentinel.cancel()
        await sentinel.value
    }

    @Test func `a request is polled until it is completed, and each change is told`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        let follower = Follower(house, request)
        var updates = follower.updates.makeAsyncIterator()
        await house.clock.untilSleeping()
        house.clock.advance(by: .seconds(2))
        #expect(await updates.next() == .pending)
        house.fake.approve(request.id)
        await run(house, follower)
        #expect(await updates.next() == .completed)
        let snapshot = try await follower.task.value.get()
        let sealed = try #require(snapshot.sealedResult)
        #expect(try await house.client.open(sealed, of: request.id).text == FakeMimiKey.login)
    }

    @Test func `AP-03 denied, cancelled and expired are told apart`() async throws {
        let house = try await House.authorized()
        for (status, reason) in [("denied", nil), ("denied", "conflict"), ("cancelled", nil), ("expired", nil)] {
            let request = try await house.ask()
            house.fake.end(request.id, status, denyReason: reason)
            let follower = Follower(house, request)
            await run(house, follower)
            let snapshot = try await follower.task.value.get()
            #expect(snapshot.state.rawValue == status)
            #expect(snapshot.denyReason == reason)
        }
    }

    @Test func `a hint is a look at once`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        let follower = Follower(house, request)
        var updates = follower.updates.makeAsyncIterator()
        await house.clock.untilSleeping()
        house.clock.advance(by: .seconds(2))
        #expect(await updates.next() == .pending)
        await house.clock.untilSleeping()
        house.clock.advance(by: .milliseconds(1500))
        house.fake.approve(request.id)
        follower.hints.yield()
        #expect(await updates.next() == .completed)
        #expect(try await follower.task.value.get().state == .completed)
    }

    @Test func `AP-12 a refused access token in a poll is refreshed and the polling goes on`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        house.fake.set { $0.access = [:] }
        house.fake.approve(request.id)
        let follower = Follower(house, request)
        await run(house, follower)
        #expect(try await follower.task.value.get().state == .completed)
        #expect(house.fake.refreshes == 1)
        #expect(polls(house, request.id) == 2)
    }

    @Test func `AP-13 the last look is after the deadline`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        let deadline = try #require(request.expiresAt)
        let last = Mutex<UnixTime?>(nil)
        let clock = house.clock
        house.fake.set { $0.onSigned = { _ in last.withLock { $0 = clock.wall } } }
        let follower = Follower(house, request)
        await run(house, follower)
        #expect(await follower.code == .expired)
        #expect(try #require(last.withLock { $0 }) > deadline)
        #expect(house.clock.wall - deadline <= .seconds(30))
    }

    @Test func `AP-18 a request that is not found is polled on while it is young`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        let path = "/api/oauth/requests/\(request.id)"
        let missing = FakeMimiKey.Fault.answer(FakeMimiKey.error(404, "request_not_found"))
        house.fake.faults(path, missing, missing, missing)
        house.fake.approve(request.id)
        let follower = Follower(house, request)
        await run(house, follower, step: .seconds(1))
        #expect(try await follower.task.value.get().state == .completed)
        #expect(polls(house, request.id) == 4)
    }

    @Test func `AP-18 AP-03 later it is final`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        house.fake.set { $0.requests = [:] }
        let follower = Follower(house, request)
        await run(house, follower, step: .seconds(1))
        #expect(await follower.code == Wire.Code.requestNotFound)
        #expect((5...8).contains(polls(house, request.id)))
    }

    @Test func `passing failures of every kind do not end the wait`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        house.fake.faults(
            "/api/oauth/requests/\(request.id)", .lost(.refusedConnection), .answerLost(.resetAfterSending),
            .answer(InboundResponse(status: 503, body: Array("<html>".utf8))),
            .answer(InboundResponse(status: 200, body: Array(#"{"id":"#.utf8))),
            .answer(FakeMimiKey.error(500, "database_error")), .answer(FakeMimiKey.error(401, "nonce_replayed")))
        house.fake.approve(request.id)
        let follower = Follower(house, request)
        await run(house, follower)
        #expect(try await follower.task.value.get().state == .completed)
    }

    @Test func `AP-06 a Retry-After makes the pause longer`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        house.fake.faults(
            "/api/oauth/requests/\(request.id)",
            .answer(InboundResponse(status: 503, fields: [HTTPField("retry-after", "60")])))
        house.fake.approve(request.id)
        let begun = house.clock.now
        let follower = Follower(house, request)
        await run(house, follower, step: .seconds(1))
        #expect(try await follower.task.value.get().state == .completed)
        #expect(house.clock.now - begun >= .seconds(60))
    }

    @Test func `a revoked grant ends the wait`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        house.fake.set { $0.isRevoked = true }
        let follower = Follower(house, request)
        await run(house, follower)
        #expect(await follower.code == .revoked)
        #expect(polls(house, request.id) == 1)
    }

    @Test func `a cancelled wait ends as cancelled`() async throws {
        let house = try await House.authorized()
        let follower = Follower(house, try await house.ask())
        await house.clock.untilSleeping()
        follower.task.cancel()
        #expect(await follower.code == .cancelled)
    }

    @Test(arguments: [-31_536_000, -3600, 3600, 31_536_000] as [Int64])
    func `SG-09 setting the clock while a request is followed changes no pause and no deadline`(
        _ step: Int64
    ) async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        let begun = house.clock.now
        let follower = Follower(house, request)
        var updates = follower.updates.makeAsyncIterator()
        await house.clock.untilSleeping()
        house.clock.advance(by: .seconds(2))
        #expect(await updates.next() == .pending)
        house.clock.set(wall: house.clock.wall + .seconds(step))
        // MimiKey's clock stays as it was, and it moves the deadline a little.
        house.fake.set {
            $0.clockAhead = .seconds(-step)
            for token in $0.access.keys { $0.access[token] = UnixTime(seconds: 4_000_000_000) }
            $0.requests[request.id]?.expiresAt = (request.expiresAt ?? house.fake.clock.wall) + .seconds(1)
        }
        await run(house, follower)
        #expect(await follower.code == .expired)
        // 601 s, 15 s more, and what the last round takes.
        #expect((.seconds(616)...Duration.seconds(620)).contains(house.clock.now - begun))
    }

    @Test(arguments: [-31_536_000, 31_536_000] as [Int64])
    func `SG-07 a request that is picked up again with a clock that is a year off is not given up`(
        _ seconds: Int64
    ) async throws {
        let first = try await House.authorized()
        let request = try await first.ask()
        first.clock.set(wall: first.clock.wall + .seconds(seconds))
        first.fake.set {
            $0.clockAhead = .seconds(-seconds)
            for token in $0.access.keys { $0.access[token] = UnixTime(seconds: 4_000_000_000) }
        }
        let house = try await first.restarted()
        let begun = house.clock.now
        let follower = Follower(house, request)
        await run(house, follower)
        #expect(await follower.code == .expired)
        #expect((.seconds(615)...Duration.seconds(620)).contains(house.clock.now - begun))
    }

    @Test func `AP-14 a deadline that moves on with each look ends the wait after a day`() async throws {
        var configuration = House.configuration
        configuration.pollInterval = .seconds(1800)
        let house = try await House.authorized(configuration)
        let request = try await house.ask()
        let clock = house.clock
        let fake = house.fake
        house.fake.set {
            $0.onSigned = { _ in
                fake.set { state in
                    state.requests[request.id]?.expiresAt = clock.wall + .seconds(2 * 86_400)
                    for token in state.access.keys { state.access[token] = UnixTime(seconds: 4_000_000_000) }
                }
            }
        }
        let begun = house.clock.now
        let follower = Follower(house, request)
        await run(house, follower, step: .seconds(1800))
        #expect(await follower.code == .expired)
        #expect((.seconds(86_400)...Duration.seconds(86_400 + 3600)).contains(house.clock.now - begun))
    }

    @Test func `150 looks in a row that nobody answers are the end, and its cause is told`() async throws {
        let house = try await House.authorized()
        var request = try await house.ask()
        request.expiresAt = house.clock.wall + .seconds(3000)
        house.fake.set {
            $0.faults["/api/oauth/requests/rq_1"] = .init(repeating: .lost(.refusedConnection), count: 200)
        }
        let follower = Follower(house, request)
        await run(house, follower)
        #expect(polls(house, request.id) == 150)
        guard case .failure(let problem) = await follower.task.value else { return }
        #expect(problem.code == .expired)
        #expect(problem.cause == .upstreamUnreachable)
    }

    @Test func `AP-13 a wait that nobody ended has no cause`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        let follower = Follower(house, request)
        await run(house, follower)
        guard case .failure(let problem) = await follower.task.value else { return }
        #expect(problem.code == .expired)
        #expect(problem.cause == nil)
    }

    @Test func `SG-10 two nonces that were seen stop the polling`() async throws {
        let house = try await House.authorized()
        let request = try await house.ask()
        let seen = FakeMimiKey.Fault.answer(FakeMimiKey.error(401, "nonce_replayed"))
        house.fake.faults("/api/oauth/requests/\(request.id)", seen, seen)
        let follower = Follower(house, request)
        await run(house, follower)
        #expect(await follower.code == Wire.Code.nonceReplayed)
        #expect(house.log.count(.error) == 1)
    }
}
