import Core
import Strongbox
import TestSupport
import Testing

@testable import MimiKey

/// Refreshes, as the server and the store see them.
struct RefreshTests {
    @Test func `TK-01 500 calls with an expired access token make one refresh and all succeed`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        house.outliveAccessToken()
        try await withThrowingTaskGroup(of: RequestSnapshot.self) { group in
            for _ in 0..<500 { group.addTask { try await house.client.request(id) } }
            for try await snapshot in group { #expect(snapshot.state == .pending) }
        }
        #expect(house.fake.refreshes == 1)
    }

    @Test func `TK-02 a refresh goes on when the caller that began it leaves`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        house.outliveAccessToken()
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        let leader = Task { try await house.client.request(id) }
        await gate.untilReached()
        async let follower = house.client.request(id)
        leader.cancel()
        gate.open()
        #expect(try await follower.state == .pending)
        #expect(house.fake.refreshes == 1)
        #expect(await house.client.grantStatus().state == .active)
    }

    @Test func `a refresh is waited for at the end`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        house.outliveAccessToken()
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        let caller = Task { try await house.client.request(id) }
        await gate.untilReached()
        async let finished: Void = house.client.finishTasks()
        gate.open()
        await finished
        #expect(try await house.store.loadGrant()?.refreshState == .idle)
        _ = try await caller.value
    }

    @Test func `TK-04 the mark is durable before the first byte goes out`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        let store = house.store
        house.fake.set {
            $0.onRefresh = {
                do { #expect(try await store.loadGrant()?.refreshState == .started) } catch { Issue.record(error) }
            }
        }
        _ = try await house.ask()
        #expect(house.fake.refreshes == 1)
        #expect(try await store.loadGrant()?.refreshState == .idle)
    }

    @Test func `TK-04 without the mark nothing is sent`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        await house.store.close()
        #expect(await house.problem { try await house.ask() }?.code == .storage)
        #expect(house.fake.refreshes == 0)
    }

    @Test func `TK-05 the new pair is durable before the new access token is used`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        let store = house.store
        house.fake.set {
            $0.onSigned = { bearer in
                do {
                    let stored = try await store.loadGrant()
                    #expect(stored?.tokens.access.exposed() == Array(bearer.utf8))
                } catch { Issue.record(error) }
            }
        }
        _ = try await house.ask()
    }

    @Test func `TK-05 a pair that cannot be stored is not used`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        let store = house.store
        house.fake.set { $0.onRefresh = { await store.close() } }
        #expect(await house.problem { try await house.ask() }?.code == .storage)
        #expect(house.fake.refreshes == 1)
        house.clock.advance(by: .seconds(60))
        #expect(await house.problem { try await house.ask() }?.code == .storage)
        #expect(house.fake.refreshes == 1)
        #expect(house.fake.received("/api/oauth/requests").isEmpty)
    }

    @Test func `TK-07 a mark that is found at the start is an unknown outcome`() async throws {
        let house = try await House.authorized()
        try await house.store.markRefreshStarted()
        let restarted = try await house.restarted()
        #expect(await restarted.client.grantStatus().state == .refreshUnknown)
        #expect(try await house.store.loadGrant()?.refreshState == .unknown)
        _ = try await restarted.ask()
        house.outliveAccessToken()
        #expect(await restarted.problem { try await restarted.ask() }?.code == .refreshUnknown)
        let again = try await house.restarted()
        #expect(await again.problem { try await again.ask() }?.code == .refreshUnknown)
        #expect(house.fake.refreshes == 0)
    }

    @Test func `TK-07 a stored pair is used after a restart`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        _ = try await house.ask()
        let restarted = try await house.restarted()
        #expect(await restarted.client.grantStatus().state == .active)
        _ = try await restarted.ask()
        house.outliveAccessToken()
        _ = try await restarted.ask()
        #expect(house.fake.refreshes == 2)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.answerLost(.resetAfterSending), .lost(SendFailure(.timedOut, bytesMayHaveLeft: true)),
        .answer(InboundResponse(status: 500, body: Array("oops".utf8))),
        .answer(InboundResponse(status: 200, body: Array(#"{"access_token":"at_9""#.utf8))),
        .answer(InboundResponse(status: 302)),
    ])
    func `TK-08 a lost answer is refresh_unknown, and nothing is sent again`(_ fault: FakeMimiKey.Fault) async throws {
        let house = try await House.authorized()
        house.clock.advance(by: .seconds(3580))
        house.fake.faults("/api/oauth/token", fault)
        _ = try await house.ask()
        #expect(await house.client.grantStatus().state == .refreshUnknown)
        house.clock.advance(by: .seconds(30))
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.code == .refreshUnknown)
        #expect(problem?.nextAction == .authorize)
        house.clock.advance(by: .seconds(86_400))
        #expect(await house.problem { try await house.ask() }?.code == .refreshUnknown)
        #expect(house.fake.refreshes == 1)
        #expect(try await house.store.loadGrant()?.refreshState == .unknown)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.lost(.refusedConnection), .lost(SendFailure(.nameNotFound, bytesMayHaveLeft: false)),
        .answer(FakeMimiKey.error(500, "database_error")), .answer(FakeMimiKey.error(429, "slow_down")),
    ])
    func `TK-09 a refresh that certainly was not carried out is repeated, after a pause`(
        _ fault: FakeMimiKey.Fault
    ) async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.faults("/api/oauth/token", fault)
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.retryable == true)
        #expect(problem?.retryAfter == .seconds(1))
        #expect(await house.problem { try await house.ask() }?.code == problem?.code)
        #expect(house.fake.refreshes == 1)
        #expect(try await house.store.loadGrant()?.refreshState == .idle)
        house.clock.advance(by: .seconds(1))
        _ = try await house.ask()
        #expect(house.fake.refreshes == 2)
    }

    @Test(arguments: [
        (401, "refresh_token_reused"), (401, "invalid_refresh_token"), (401, "refresh_expired"), (401, "grant_revoked"),
        (403, "client_disabled"), (401, "client_disabled"), (400, "invalid_client"), (401, "invalid_client_secret"),
    ])
    func `TK-11 the revoked class wipes the grant once and nothing is called any more`(
        _ status: Int, _ code: String
    ) async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.faults("/api/oauth/token", .answer(FakeMimiKey.error(status, code)))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let problem = await house.problem { try await house.ask() }
                    #expect(problem?.code == .revoked)
                    #expect(problem?.nextAction == .authorize)
                    #expect(problem?.status == 409)
                }
            }
        }
        #expect(house.fake.refreshes == 1)
        #expect(house.log.count(.error) == 1)
        #expect(house.fake.received("/api/oauth/requests").isEmpty)
        #expect(await house.client.grantStatus().state == .revoked)
        #expect(try await house.store.loadGrant() == nil)
        #expect(try await house.store.isRevoked())
        let restarted = try await house.restarted()
        #expect(await restarted.client.grantStatus().state == .revoked)
        #expect(await restarted.problem { try await restarted.ask() }?.code == .revoked)
        try await restarted.authorize()
        _ = try await restarted.ask()
    }

    @Test(arguments: [
        FakeMimiKey.error(400, "invalid_input"), FakeMimiKey.error(400, "unsupported_grant_type"),
        InboundResponse(status: 400, body: Array("bad".utf8)), InboundResponse(status: 415),
        InboundResponse(status: 422, body: Array("missing field".utf8)),
    ])
    func `TK-12 a fault of ours is loud and keeps the grant`(_ answer: InboundResponse) async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.faults("/api/oauth/token", .answer(answer))
        #expect(await house.problem { try await house.ask() } != nil)
        #expect(house.log.count(.error) == 1)
        #expect(await house.client.grantStatus().state == .active)
        house.clock.advance(by: .seconds(1))
        _ = try await house.ask()
    }

    @Test func `TK-13 an answer without a refresh token is an unknown outcome`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.set { $0.omitsRefreshToken = true }
        #expect(await house.problem { try await house.ask() }?.code == .refreshUnknown)
        #expect(house.log.count(.error) == 1)
        #expect(house.log.text.contains(#"code="malformed_response""#))
        house.clock.advance(by: .seconds(3600))
        #expect(await house.problem { try await house.ask() }?.code == .refreshUnknown)
        #expect(house.fake.refreshes == 1)
    }

    @Test func `TK-14 the same refresh token again is accepted`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.keepsRefreshToken = true }
        for _ in 0..<3 {
            house.outliveAccessToken()
            _ = try await house.ask()
        }
        #expect(house.fake.refreshes == 3)
    }

    @Test func `TK-15 a lifetime of nothing makes no more than one refresh in 30 s`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.set { $0.lifetime = 0 }
        for _ in 0..<120 {
            _ = try await house.ask()
            house.clock.advance(by: .seconds(1))
        }
        #expect(house.fake.refreshes <= 4)
    }

    @Test func `fewer than 30 s left call for a refresh first`() async throws {
        let house = try await House.authorized()
        house.clock.advance(by: .seconds(3570))
        _ = try await house.ask()
        #expect(house.fake.refreshes == 0)
        house.clock.advance(by: .seconds(1))
        _ = try await house.ask()
        #expect(house.fake.refreshes == 1)
    }

    @Test func `no token stands in the log`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.faults("/api/oauth/token", .answer(FakeMimiKey.error(500, "database_error")))
        _ = await house.problem { try await house.ask() }
        house.clock.advance(by: .seconds(1))
        _ = try await house.ask()
        house.fake.set { $0.isRevoked = true }
        _ = await house.problem { try await house.ask() }
        for secret in ["at_", "rt_", "code_1"] { #expect(!house.log.text.contains(secret)) }
    }
}
