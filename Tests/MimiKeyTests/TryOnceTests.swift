import Core
import Strongbox
import TestSupport
import Testing

@testable import MimiKey

/// The operator refreshes by hand, and leads out of an unknown outcome.
struct TryOnceTests {
    /// The answer of a refresh was lost; `rotated`: after it was carried out.
    private func lost(rotated: Bool) async throws -> House {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.faults("/api/oauth/token", rotated ? .answerLost(.resetAfterSending) : .lost(.resetAfterSending))
        #expect(await house.problem { try await house.ask() }?.code == .refreshUnknown)
        return house
    }

    @Test func `tokens are renewed on demand, at most once in 30 s`() async throws {
        let house = try await House.authorized()
        house.clock.advance(by: .seconds(60))
        #expect(try await house.client.refreshNow(tryOnce: false).state == .active)
        let problem = await house.problem { try await house.client.refreshNow(tryOnce: false) }
        #expect(problem?.code == .tooSoon)
        #expect(problem?.retryAfter == .seconds(30))
        house.clock.advance(by: .seconds(30))
        #expect(try await house.client.refreshNow(tryOnce: true).accessExpiresAt == house.clock.wall + .seconds(3600))
        #expect(house.fake.refreshes == 2)
        _ = try await house.ask()
    }

    @Test func `two who demand it at once get one refresh`() async throws {
        let house = try await House.authorized()
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        async let first = house.client.refreshNow(tryOnce: false)
        await gate.untilReached()
        async let second = house.client.refreshNow(tryOnce: false)
        gate.open()
        _ = try await [first, second]
        #expect(house.fake.refreshes == 1)
    }

    @Test func `what kept a demanded refresh from working is told`() async throws {
        let house = try await House.authorized()
        house.fake.faults("/api/oauth/token", .answer(FakeMimiKey.error(500, "database_error")))
        #expect(
            await house.problem { try await house.client.refreshNow(tryOnce: false) }?.code == Wire.Code.databaseError)
        #expect(await house.client.grantStatus().state == .active)
        let problem = await house.problem { try await house.client.refreshNow(tryOnce: false) }
        #expect(problem?.retryAfter == .seconds(1))
        #expect(house.fake.refreshes == 1)
    }

    @Test func `without a grant there is nothing to refresh`() async throws {
        let house = try House()
        #expect(await house.problem { try await house.client.refreshNow(tryOnce: true) }?.code == .notAuthorized)
    }

    @Test func `TK-07 TK-08 an unknown outcome is left by the operator's word alone`() async throws {
        let house = try await lost(rotated: false)
        #expect(await house.problem { try await house.client.refreshNow(tryOnce: false) }?.code == .refreshUnknown)
        #expect(house.fake.refreshes == 1)
        #expect(try await house.client.refreshNow(tryOnce: true).state == .active)
        #expect(house.fake.refreshes == 2)
        #expect(try await house.store.loadGrant()?.refreshState == .idle)
        _ = try await house.ask()
    }

    @Test func `TK-07 a token that was rotated costs the grant, and is not sent again`() async throws {
        let house = try await lost(rotated: true)
        #expect(await house.problem { try await house.client.refreshNow(tryOnce: true) }?.code == .revoked)
        #expect(await house.client.grantStatus().state == .revoked)
        #expect(await house.problem { try await house.client.refreshNow(tryOnce: true) }?.code == .revoked)
        #expect(house.fake.refreshes == 2)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.answer(FakeMimiKey.error(500, "database_error")), .lost(.refusedConnection),
        .answer(FakeMimiKey.error(429, "slow_down")), .answer(InboundResponse(status: 415)), .lost(.resetAfterSending),
    ])
    func `TK-07 after an attempt that settles nothing it stays unknown, on disk as well`(
        _ fault: FakeMimiKey.Fault
    ) async throws {
        let house = try await lost(rotated: false)
        house.fake.faults("/api/oauth/token", fault)
        #expect(await house.problem { try await house.client.refreshNow(tryOnce: true) } != nil)
        #expect(await house.client.grantStatus().state == .refreshUnknown)
        #expect(try await house.store.loadGrant()?.refreshState == .unknown)
        house.clock.advance(by: .seconds(86_400))
        #expect(await house.problem { try await house.ask() }?.code == .refreshUnknown)
        #expect(house.fake.refreshes == 2)
        #expect(try await house.client.refreshNow(tryOnce: true).state == .active)
        #expect(house.fake.refreshes == 3)
    }

    @Test func `TK-07 a process that dies in the attempt leaves it unknown`() async throws {
        let house = try await lost(rotated: false)
        let store = house.store
        house.fake.set {
            $0.onRefresh = {
                do { #expect(try await store.loadGrant()?.refreshState == .started) } catch { Issue.record(error) }
            }
        }
        house.fake.faults("/api/oauth/token", .answer(FakeMimiKey.error(500, "database_error")))
        _ = await house.problem { try await house.client.refreshNow(tryOnce: true) }
        let restarted = try await house.restarted()
        #expect(await restarted.client.grantStatus().state == .refreshUnknown)
        #expect(try await restarted.client.refreshNow(tryOnce: true).state == .active)
    }

    @Test func `a new grant leads out of it as well`() async throws {
        let house = try await lost(rotated: true)
        try await house.authorize()
        #expect(await house.client.grantStatus().state == .active)
        _ = try await house.ask()
    }
}
