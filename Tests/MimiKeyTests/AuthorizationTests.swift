import Core
import Strongbox
import TestSupport
import Testing

@testable import MimiKey

struct AuthorizationTests {
    private func callback(_ pairs: KeyValuePairs<String, String>) -> QueryString {
        var query = QueryString()
        for (name, value) in pairs { query.append(name, value) }
        return query
    }

    private func state(of status: AuthorizationStatus) throws -> String {
        let query = QueryString(parsing: String(status.url.dropFirst("mimikey://authorize?".count)))
        return try #require(query?.value("state"))
    }

    @Test func `the deep link carries the documented parameters`() async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        #expect(status.state == .waiting)
        #expect(status.expiresAt == house.clock.wall + .seconds(600))
        #expect(
            status.url.hasPrefix("mimikey://authorize?client_id=pmc_test&redirect_uri=http%3A%2F%2F127.0.0.1%3A7447"))
        let query = try #require(QueryString(parsing: String(status.url.dropFirst("mimikey://authorize?".count))))
        #expect(
            query.pairs.map(\.name) == [
                "client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method", "approval_key",
                "seal_key",
            ])
        #expect(query.value("code_challenge_method") == "S256")
        #expect(query.value("code_challenge")?.utf8.count == 43)
        #expect(query.value("approval_key")?.utf8.count == 43)
        #expect(query.value("seal_key")?.utf8.count == 43)
    }

    @Test func `keys, challenge and state are new for each authorization`() async throws {
        let house = try House()
        let urls = [
            try await house.client.beginAuthorization().url, try await house.client.beginAuthorization().url,
        ]
        let queries = try urls.map { try #require(QueryString(parsing: String($0.dropFirst(20)))) }
        for name in ["state", "code_challenge", "approval_key", "seal_key"] {
            #expect(queries[0].value(name) != queries[1].value(name))
        }
    }

    @Test func `a consent makes a grant that is stored and in use`() async throws {
        let house = try await House.authorized()
        let status = await house.client.grantStatus()
        #expect(status.state == .active)
        #expect(status.grantID == "gr_1")
        #expect(status.vaults == [Vault(id: "v_1", name: "Personal", policy: .ask)])
        #expect(status.accessExpiresAt == house.clock.wall + .seconds(3600))
        let stored = try #require(try await house.store.loadGrant())
        #expect(stored.grantID == "gr_1")
        #expect(stored.origin == "http://127.0.0.1:7448")
        #expect(status.fingerprint == stored.approvalKey.fingerprint)
        #expect(house.fake.exchanges("authorization_code") == 1)
    }

    @Test func `a callback with a foreign or missing state is ignored`() async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        #expect(await house.client.handleCallback(callback(["code": "c", "state": "other"])) == .unknown)
        #expect(await house.client.handleCallback(callback(["code": "c"])) == .unknown)
        let state = try state(of: status)
        #expect(await house.client.handleCallback(callback(["code": "c", "state": state, "state": state])) == .unknown)
        #expect(await house.client.authorization(status.id)?.state == .waiting)
        #expect(house.fake.exchanges("authorization_code") == 0)
    }

    @Test func `a callback that comes twice spends its code once`() async throws {
        let house = try House()
        let query = try house.fake.consent(to: try await house.client.beginAuthorization().url)
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        async let first = house.client.handleCallback(query)
        await gate.untilReached()
        async let second = house.client.handleCallback(query)
        gate.open()
        let outcomes = await [first, second]
        guard case .authorization(let status) = outcomes[0] else {
            Issue.record("no authorization ended")
            return
        }
        #expect(status.state == .completed)
        #expect(outcomes[1] == outcomes[0] || outcomes[1] == .unknown)
        #expect(await house.client.handleCallback(query) == .unknown)
        #expect(house.fake.exchanges("authorization_code") == 1)
    }

    @Test func `a callback without a code is invalid and ends the authorization`() async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        #expect(await house.client.handleCallback(callback(["state": try state(of: status)])) == .invalid)
        let ended = await house.client.authorization(status.id)
        #expect(ended?.state == .failed)
        #expect(ended?.error == .invalidCallback)
    }

    @Test(arguments: [
        ("access_denied", AuthorizationStatus.State.denied, "access_denied"),
        ("not_signed_in", .failed, "not_signed_in"), ("invalid_request", .failed, "invalid_request"),
        ("<script>", .failed, "invalid_callback"),
    ])
    func `what the app reports ends the authorization`(
        _ error: String, _ end: AuthorizationStatus.State, _ code: String
    ) async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        let outcome = await house.client.handleCallback(
            callback(["error": error, "code": "c", "state": try state(of: status)]))
        var ended = status
        ended.state = end
        ended.error = ErrorCode(code)
        #expect(outcome == .authorization(ended))
        #expect(house.fake.exchanges("authorization_code") == 0)
    }

    @Test func `a fingerprint of another key stores nothing`() async throws {
        let house = try House()
        house.fake.set { $0.fingerprint = String(repeating: "0", count: 64) }
        let status = try await house.client.beginAuthorization()
        _ = await house.client.handleCallback(try house.fake.consent(to: status.url))
        let ended = await house.client.authorization(status.id)
        #expect(ended?.state == .failed)
        #expect(ended?.error == .fingerprintMismatch)
        #expect(try await house.store.loadGrant() == nil)
        #expect(await house.client.grantStatus().state == .none)
    }

    @Test func `a failed authorization leaves the old grant at work`() async throws {
        let house = try await House.authorized()
        house.fake.faults("/api/oauth/token", .answer(FakeMimiKey.error(400, "invalid_code")))
        let status = try await house.client.beginAuthorization()
        _ = await house.client.handleCallback(
            callback(["code": "c", "state": try state(of: status)]))
        #expect(await house.client.authorization(status.id)?.error == ErrorCode("invalid_code"))
        _ = try await house.ask()
    }

    @Test func `a new grant replaces the stored one only when it is stored`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.grantID = "gr_2" }
        let status = try await house.client.beginAuthorization()
        #expect(try await house.store.loadGrant()?.grantID == "gr_1")
        _ = await house.client.handleCallback(try house.fake.consent(to: status.url))
        #expect(await house.client.grantStatus().grantID == "gr_2")
        #expect(try await house.store.loadGrant()?.grantID == "gr_2")
        _ = try await house.ask()
    }

    @Test func `until the new grant is stored the old one is used, also while its code is exchanged`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.grantID = "gr_2" }
        let query = try house.fake.consent(to: try await house.client.beginAuthorization().url)
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        async let outcome = house.client.handleCallback(query)
        await gate.untilReached()
        _ = try await house.ask()
        #expect(await house.client.grantStatus().grantID == "gr_1")
        #expect(try await house.store.loadGrant()?.grantID == "gr_1")
        gate.open()
        _ = await outcome
        #expect(await house.client.grantStatus().grantID == "gr_2")
    }

    @Test func `a new grant that cannot be stored leaves the old one in use`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.grantID = "gr_2" }
        let status = try await house.client.beginAuthorization()
        let query = try house.fake.consent(to: status.url)
        await house.store.close()
        _ = await house.client.handleCallback(query)
        #expect(await house.client.authorization(status.id)?.error == .storage)
        #expect(await house.client.grantStatus().grantID == "gr_1")
        #expect(await house.client.replaced == nil)
    }

    @Test func `a second authorization cancels the first`() async throws {
        let house = try House()
        let first = try await house.client.beginAuthorization()
        let second = try await house.client.beginAuthorization()
        #expect(await house.client.authorization(first.id)?.state == .cancelled)
        #expect(await house.client.handleCallback(try house.fake.consent(to: first.url)) == .unknown)
        #expect(await house.client.authorization(second.id)?.state == .waiting)
    }

    @Test func `an authorization expires after its time, and its callback is ignored`() async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        async let ended = house.client.waitForAuthorization(
            status.id, until: house.clock.now + .seconds(10_000))
        await house.clock.untilSleeping()
        house.clock.advance(by: .seconds(600))
        #expect(await ended?.state == .expired)
        #expect(await house.client.handleCallback(try house.fake.consent(to: status.url)) == .unknown)
    }

    @Test func `who waits learns of the end at once`() async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        async let ended = house.client.waitForAuthorization(status.id, until: house.clock.now + .seconds(100))
        await house.clock.untilSleeping()
        _ = await house.client.cancelAuthorization(status.id)
        #expect(await ended?.state == .cancelled)
        #expect(await house.client.waitForAuthorization("auth_none", until: house.clock.now + .seconds(9)) == nil)
    }

    @Test func `a code goes out again only when it certainly was not spent`() async throws {
        let house = try House()
        house.fake.faults(
            "/api/oauth/token", .lost(.refusedConnection), .answer(FakeMimiKey.error(500, "database_error")))
        let status = try await house.client.beginAuthorization()
        async let outcome = house.client.handleCallback(try house.fake.consent(to: status.url))
        await house.clock.untilSleeping()
        house.clock.advance(by: .seconds(1))
        await house.clock.untilSleeping()
        house.clock.advance(by: .seconds(2))
        _ = try await outcome
        #expect(await house.client.authorization(status.id)?.state == .completed)
        #expect(house.fake.exchanges("authorization_code") == 3)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.answerLost(.resetAfterSending), .lost(.resetAfterSending),
        .answer(InboundResponse(status: 502, body: Array("<html>".utf8))),
    ])
    func `a lost answer to an exchange is outcome_unknown and not sent again`(_ fault: FakeMimiKey.Fault) async throws {
        let house = try House()
        house.fake.faults("/api/oauth/token", fault)
        let status = try await house.client.beginAuthorization()
        _ = await house.client.handleCallback(try house.fake.consent(to: status.url))
        let ended = await house.client.authorization(status.id)
        #expect(ended?.state == .failed)
        #expect(ended?.error == .outcomeUnknown)
        #expect(house.fake.exchanges("authorization_code") == 1)
    }

    @Test func `who leaves during an exchange does not cut it short`() async throws {
        let house = try House()
        let query = try house.fake.consent(to: try await house.client.beginAuthorization().url)
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        let browser = Task { await house.client.handleCallback(query) }
        await gate.untilReached()
        browser.cancel()
        gate.open()
        _ = await browser.value
        #expect(await house.client.grantStatus().state == .active)
    }

    @Test func `a cancelled authorization stores nothing, though its exchange is under way`() async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        let query = try house.fake.consent(to: status.url)
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        async let outcome = house.client.handleCallback(query)
        await gate.untilReached()
        #expect(await house.client.cancelAuthorization(status.id)?.state == .cancelled)
        gate.open()
        _ = await outcome
        #expect(try await house.store.loadGrant() == nil)
        #expect(await house.client.grantStatus().state == .none)
    }

    @Test func `a store that fails ends the authorization with storage`() async throws {
        let house = try House()
        let status = try await house.client.beginAuthorization()
        let query = try house.fake.consent(to: status.url)
        await house.store.close()
        _ = await house.client.handleCallback(query)
        #expect(await house.client.authorization(status.id)?.error == .storage)
        #expect(await house.client.grantStatus().state == .none)
    }

    @Test func `a stored grant of another client or origin is not used`() async throws {
        let house = try await House.authorized()
        var other = House.configuration
        other.clientID = "pmc_other"
        let restarted = try await house.restarted(other)
        #expect(await restarted.client.grantStatus().state == .none)
        #expect(restarted.log.count(.warning) == 1)
        #expect(await restarted.problem { try await restarted.ask() }?.code == .notAuthorized)
    }
}
