import Core
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

/// The operator ends the grant.
struct RevocationTests {
    private static let path = "/api/oauth/revoke"

    private func body(_ house: House, _ index: Int = 0) throws -> JSONValue {
        try JSONDocument(house.fake.received(Self.path)[index].body).root
    }

    private func isWiped(_ house: House) async throws {
        #expect(await house.client.grantStatus().state == .none)
        #expect(try await house.store.loadGrant() == nil)
        #expect(try await house.store.isRevoked() == false)
        #expect(await house.problem { try await house.ask() }?.code == .notAuthorized)
    }

    /// What was announced so far.
    private func changes(_ house: House) async -> [GrantChange] {
        house.client.newGrantChanges.finish()
        var changes: [GrantChange] = []
        for await change in house.client.grantChanges { changes.append(change) }
        return changes
    }

    @Test func `a public client signs the revocation, without a bearer and without a secret`() async throws {
        let house = try await House.authorized()
        try await house.client.revoke(force: false)
        let request = try #require(house.fake.received(Self.path).first)
        #expect(request.method == .post)
        #expect(!request.fields.contains("authorization"))
        #expect(request.fields.contains("x-pm-signature"))
        #expect(try body(house).members.map(\.name) == ["client_id", "token"])
        #expect(try body(house)["token"]?.string == "rt_1")
        #expect(house.fake.state.withLock { $0.isRevoked })
        try await isWiped(house)
        #expect(await changes(house) == [.revoked])
        #expect(house.log.count(.error) == 0)
    }

    @Test func `a confidential client sends its secret instead of a signature`() async throws {
        var configuration = House.configuration
        configuration.clientSecret = ClientSecret(Secret(copying: Array("s3cret".utf8)))
        let house = try House(configuration)
        house.fake.set { $0.clientSecret = "s3cret" }
        try await house.authorize()
        house.outliveAccessToken()
        _ = try await house.ask()
        #expect(house.fake.refreshes == 1)
        try await house.client.revoke(force: false)
        let request = try #require(house.fake.received(Self.path).first)
        #expect(!request.fields.contains("x-pm-signature"))
        #expect(try body(house)["client_secret"]?.string == "s3cret")
        #expect(house.fake.state.withLock { $0.isRevoked })
        try await isWiped(house)
        for call in house.fake.state.withLock({ $0.received }) where call.target == "/api/oauth/requests" {
            #expect(!String(decoding: call.body, as: UTF8.self).contains("s3cret"))
        }
        #expect(!house.log.text.contains("s3cret"))
    }

    @Test(arguments: [
        FakeMimiKey.error(401, "grant_revoked"), FakeMimiKey.error(403, "client_disabled"),
        FakeMimiKey.error(401, "client_disabled"), FakeMimiKey.error(401, "invalid_refresh_token"),
        FakeMimiKey.error(401, "refresh_expired"), FakeMimiKey.error(401, "refresh_token_reused"),
    ])
    func `an answer that says that the grant is gone is as good as ok`(_ answer: InboundResponse) async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.path, .answer(answer))
        try await house.client.revoke(force: false)
        try await isWiped(house)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.lost(.refusedConnection), .lost(.resetAfterSending),
        .answer(FakeMimiKey.error(500, "database_error")), .answer(InboundResponse(status: 503)),
        .answer(InboundResponse(status: 200, body: Array("<html>".utf8))), .answer(FakeMimiKey.json(["ok": false])),
        .answer(FakeMimiKey.error(401, "invalid_client_secret")), .answer(FakeMimiKey.error(401, "signature_invalid")),
        .answer(InboundResponse(status: 302)),
    ])
    func `what MimiKey does not confirm keeps keys and tokens, unless it is forced`(
        _ fault: FakeMimiKey.Fault
    ) async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.path, fault, fault)
        let problem = await house.problem { try await house.client.revoke(force: false) }
        #expect(problem?.code == .revokeUnconfirmed)
        #expect(problem?.status == 504)
        #expect(await house.client.grantStatus().state == .active)
        #expect(try await house.store.loadGrant() != nil)
        _ = try await house.ask()
        try await house.client.revoke(force: true)
        try await isWiped(house)
        #expect(await changes(house) == [.revoked])
    }

    @Test func `a lost answer is found out by the next attempt`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.path, .answerLost(.resetAfterSending))
        #expect(await house.problem { try await house.client.revoke(force: false) }?.code == .revokeUnconfirmed)
        try await house.client.revoke(force: false)
        try await isWiped(house)
    }

    @Test func `a nonce that was seen and a wrong clock are put right once`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.path, .answer(FakeMimiKey.error(401, "nonce_replayed")))
        house.fake.set { $0.clockAhead = .seconds(4000) }
        try await house.client.revoke(force: false)
        #expect(house.fake.received(Self.path).count == 3)
        try await isWiped(house)
    }

    @Test func `a refresh that is under way is waited for, and its new token is revoked`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        async let asking = house.problem { try await house.ask() }
        await gate.untilReached()
        async let revoking: Void = house.client.revoke(force: false)
        while await house.client.revocations == 0 { await Task.yield() }
        // Whoever asks now is refused, and may try again.
        let refused = await house.problem { try await house.ask() }
        #expect(refused?.code == .notAuthorized)
        #expect(refused?.retryable == true)
        #expect(await house.problem { try await house.client.refreshNow(tryOnce: false) }?.retryable == true)
        #expect(house.fake.received(Self.path).isEmpty)
        gate.open()
        try await revoking
        #expect(await asking?.code == .notAuthorized)
        #expect(try body(house)["token"]?.string == "rt_2")
        #expect(house.fake.refreshes == 1)
        try await isWiped(house)
    }

    @Test func `it goes on when the operator leaves`() async throws {
        let house = try await House.authorized()
        let gate = Gate()
        house.fake.faults(Self.path, .held(gate))
        let leaving = Task { try await house.client.revoke(force: false) }
        await gate.untilReached()
        leaving.cancel()
        gate.open()
        _ = try? await leaving.value
        try await isWiped(house)
    }

    @Test func `after an unknown outcome the access token is sent while it lives`() async throws {
        let house = try await House.authorized()
        house.clock.advance(by: .seconds(3580))
        house.fake.faults("/api/oauth/token", .answerLost(.resetAfterSending))
        _ = try await house.ask()
        #expect(await house.client.grantStatus().state == .refreshUnknown)
        try await house.client.revoke(force: false)
        #expect(try body(house)["token"]?.string == "at_1")
        #expect(house.fake.state.withLock { $0.isRevoked })
        try await isWiped(house)
    }

    @Test func `a refresh that finds the grant gone makes the revocation a success`() async throws {
        let house = try await House.authorized()
        house.outliveAccessToken()
        house.fake.set { $0.isRevoked = true }
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        async let asking = house.problem { try await house.ask() }
        await gate.untilReached()
        async let revoking: Void = house.client.revoke(force: false)
        while await house.client.revocations == 0 { await Task.yield() }
        gate.open()
        try await revoking
        _ = await asking
        try await isWiped(house)
        #expect(await changes(house) == [.revoked])
    }

    @Test func `without a grant there is nothing to revoke, and nothing is sent`() async throws {
        let house = try House()
        #expect(await house.problem { try await house.client.revoke(force: true) }?.code == .notAuthorized)
        #expect(house.fake.received(Self.path).isEmpty)
    }

    @Test func `a store that fails says so, and the grant is not used any more`() async throws {
        let house = try await House.authorized()
        await house.store.close()
        #expect(await house.problem { try await house.client.revoke(force: false) }?.code == .storage)
        #expect(house.fake.state.withLock { $0.isRevoked })
        #expect(await house.client.grantStatus().state == .none)
    }

    // MARK: Reset

    @Test func `a reset wipes the grant and tells MimiKey nothing`() async throws {
        let house = try await House.authorized()
        let calls = house.fake.state.withLock { $0.received.count }
        try await house.client.reset()
        try await isWiped(house)
        try await house.client.reset()
        #expect(house.fake.state.withLock { $0.received.count } == calls)
        #expect(await changes(house) == [.reset])
    }

    @Test func `a reset forgets that the last grant was revoked`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.isRevoked = true }
        #expect(await house.problem { try await house.ask() }?.code == .revoked)
        try await house.client.reset()
        try await isWiped(house)
        #expect(await changes(house) == [.revoked])
    }

    @Test func `a reset that cannot be written down leaves the grant as it was`() async throws {
        let house = try await House.authorized()
        await house.store.close()
        #expect(await house.problem { try await house.client.reset() }?.code == .storage)
        #expect(await house.client.grantStatus().state == .active)
    }

    @Test func `a reset wipes the stored grant of another client, too`() async throws {
        let house = try await House.authorized()
        var other = House.configuration
        other.clientID = "pmc_other"
        let restarted = try await house.restarted(other)
        try await restarted.client.reset()
        #expect(try await house.store.loadGrant() == nil)
    }
}

/// A new grant takes the place of one under which cards are open.
struct ReplacedGrantTests {
    private func replaced(_ house: House) async throws {
        house.fake.set { $0.grantID = "gr_2" }
        let begun = try await house.client.beginAuthorization()
        // The fake knows one grant at a time: what the old one's keys sign is checked apart.
        _ = await house.client.handleCallback(try house.fake.consent(to: begun.url, code: "code_2"))
        #expect(await house.client.grantStatus().grantID == "gr_2")
    }

    @Test func `the old one's keys take a card back, until they are forgotten`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        let old = try #require(try await house.store.loadGrant())
        let tokens = house.fake.state.withLock { $0.access }
        try await replaced(house)
        house.fake.set {
            $0.approvalKey = old.approvalKey.publicKey
            $0.access.merge(tokens) { first, _ in first }
        }
        #expect(
            await house.problem { try await house.client.cancelRequest(id, ofReplacedGrant: "gr_9") }?.code
                == .notAuthorized)
        #expect(try await house.client.cancelRequest(id, ofReplacedGrant: "gr_1").state == .cancelled)
        // It has ended already: the final state is read.
        #expect(try await house.client.cancelRequest(id, ofReplacedGrant: "gr_1").state == .cancelled)
        let cancel = try #require(house.fake.received("/api/oauth/requests/\(id)/cancel").last)
        #expect(cancel.fields.text("authorization") == "Bearer at_1")
        await house.client.forgetReplacedGrant()
        #expect(
            await house.problem { try await house.client.cancelRequest(id, ofReplacedGrant: "gr_1") }?.code
                == .notAuthorized)
    }

    @Test func `what MimiKey says of the old one does not touch the new one`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        try await replaced(house)
        for code in ["token_expired", "invalid_token", "grant_revoked", "client_disabled"] {
            house.fake.faults("/api/oauth/requests/\(id)/cancel", .answer(FakeMimiKey.error(401, code)))
            #expect(await house.problem { try await house.client.cancelRequest(id, ofReplacedGrant: "gr_1") } != nil)
        }
        #expect(house.fake.refreshes == 0)
        #expect(await house.client.grantStatus().state == .active)
        _ = try await house.ask()
    }

    @Test func `only the last one's keys are kept`() async throws {
        let house = try await House.authorized()
        for number in 2...4 {
            house.fake.set { $0.grantID = "gr_\(number)" }
            try await house.authorize()
        }
        #expect(await house.client.replaced?.grantID == "gr_3")
        try await house.client.reset()
        #expect(await house.client.replaced == nil)
    }

    @Test func `it is announced once, though the callback page is loaded twice`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.grantID = "gr_2" }
        let query = try house.fake.consent(to: try await house.client.beginAuthorization().url)
        let gate = Gate()
        house.fake.faults("/api/oauth/token", .held(gate))
        async let first = house.client.handleCallback(query)
        await gate.untilReached()
        async let second = house.client.handleCallback(query)
        async let third = house.client.handleCallback(query)
        gate.open()
        _ = await [first, second, third]
        house.client.newGrantChanges.finish()
        var changes: [GrantChange] = []
        for await change in house.client.grantChanges { changes.append(change) }
        #expect(changes == [.replaced(grantID: "gr_1")])
    }

    @Test func `the first grant replaces nothing`() async throws {
        let house = try await House.authorized()
        #expect(await house.client.replaced == nil)
        house.client.newGrantChanges.finish()
        for await change in house.client.grantChanges { Issue.record("\(change)") }
    }
}
