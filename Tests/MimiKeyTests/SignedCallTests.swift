import Core
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

struct SignedCallTests {
    private static let requests = "/api/oauth/requests"

    @Test func `SG-03 the signature is over the bytes that go out`() async throws {
        let house = try await House.authorized()
        _ = try await house.client.create(
            Call(
                caller: house.pick.caller, op: .pickItem,
                hint: Hint(url: "https://bänk.example/a b?c=\"d\"\\", title: "zwölf\n€", kind: "login"), vaultID: "v_1"),
            reason: "agent: ünïcode / slash \u{202E}")
        let sent = try #require(house.fake.received(Self.requests).first)
        #expect(sent.fields.text("content-type") == "application/json")
        #expect(sent.fields.count("x-pm-signature") == 1)
        #expect(!sent.mayRepeat)
    }

    @Test func `SG-02 a call without a body is signed over the hash of nothing`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        _ = try await house.client.request(id)
        let sent = try #require(house.fake.received("\(Self.requests)/\(id)").first)
        #expect(sent.body.isEmpty)
        #expect(sent.mayRepeat)
        #expect(!sent.fields.contains("content-type"))
    }

    @Test(arguments: [300, 301, 302, 303, 304, 307, 308])
    func `SG-06 a redirect is not followed, and makes no card unknown`(_ status: Int) async throws {
        let house = try await House.authorized()
        let calls = house.fake.state.withLock { $0.received.count }
        let redirect = FakeMimiKey.Fault.answer(
            InboundResponse(
                status: HTTPStatus(code: status), fields: [HTTPField("location", "http://evil.test/api/oauth/requests")]
            ))
        house.fake.faults(Self.requests, redirect)
        house.fake.faults("/api/oauth/account", redirect)
        #expect(await house.problem { try await house.ask() }?.code == ErrorCode("http_\(status)"))
        #expect(await house.problem { try await house.client.account() }?.code == ErrorCode("http_\(status)"))
        #expect(house.fake.state.withLock { $0.received.count } == calls + 2)
    }

    @Test func `what may not be repeated goes over a connection of its own`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        _ = try await house.client.request(id)
        _ = try await house.client.account()
        _ = try await house.client.cancelRequest(id)
        house.outliveAccessToken()
        _ = try await house.ask()
        let sent = house.fake.state.withLock { $0.received }
        for request in sent { #expect(request.wantsNewConnection == !request.mayRepeat, "\(request.target)") }
        #expect(
            sent.filter(\.wantsNewConnection).map(\.target) == [
                "/api/oauth/token", Self.requests, "/api/oauth/token", Self.requests,
            ])
    }

    @Test(arguments: [-299, 299, 0] as [Int64])
    func `SG-07 inside the window the clock is left alone`(_ seconds: Int64) async throws {
        let house = try await House.authorized()
        house.fake.set { $0.clockAhead = .seconds(seconds) }
        _ = try await house.ask()
        #expect(await house.client.clockOffset == nil)
        #expect(house.fake.received(Self.requests).count == 1)
    }

    @Test(arguments: [-31_536_000, -301, 301, 86_400, 31_536_000] as [Int64])
    func `SG-07 outside the window the server's time is learnt, once, and said`(_ seconds: Int64) async throws {
        let house = try await House.authorized()
        house.fake.set {
            $0.clockAhead = .seconds(seconds)
            for token in $0.access.keys { $0.access[token] = UnixTime(seconds: 4_000_000_000) }
        }
        let snapshot = try await house.ask()
        #expect(house.fake.received(Self.requests).count == 2)
        #expect(await house.client.clockOffset == .seconds(seconds))
        #expect(house.log.count(.warning) == 1)
        #expect(house.log.text.contains("seconds=\(seconds)"))
        #expect(snapshot.expiresAt == house.fake.now + .seconds(600))
        _ = try await house.client.request(snapshot.id)
        #expect(house.log.count(.warning) == 1)
    }

    @Test func `SG-07 refused twice it is clock_skew, with both times`() async throws {
        let house = try await House.authorized()
        let refused = FakeMimiKey.error(401, "timestamp_out_of_window")
        let dated = InboundResponse(
            status: refused.status, fields: [HTTPField("date", HTTPDate.format(house.clock.wall + .seconds(9000)))],
            body: refused.body)
        house.fake.faults(Self.requests, .answer(dated), .answer(dated))
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.code == .clockSkew)
        #expect(problem?.status == 503)
        #expect(problem?.detail.contains(RFC3339.format(house.clock.wall)) == true)
        #expect(problem?.detail.contains(RFC3339.format(house.clock.wall + .seconds(9000))) == true)
        #expect(house.fake.received(Self.requests).count == 2)
    }

    @Test(arguments: [nil, "yesterday", "Sun, 06 Nov 1994 08:49:37"] as [String?])
    func `SG-08 an absent or unreadable Date is never used`(_ date: String?) async throws {
        let house = try await House.authorized()
        let refused = FakeMimiKey.error(401, "timestamp_out_of_window")
        var fields = HTTPFields()
        if let date { fields.append("date", date) }
        house.fake.faults(
            Self.requests,
            .answer(InboundResponse(status: refused.status, fields: fields, body: refused.body)))
        #expect(await house.problem { try await house.ask() }?.code == .clockSkew)
        #expect(await house.client.clockOffset == nil)
        #expect(house.fake.received(Self.requests).count == 1)
    }

    @Test func `SG-08 a Date is used only from TLS or from this machine`() async throws {
        var configuration = House.configuration
        configuration.origin = Origin(scheme: .http, host: "192.0.2.1", port: 80)
        let house = try await House.authorized(configuration)
        house.fake.set { $0.clockAhead = .seconds(600) }
        #expect(await house.problem { try await house.ask() }?.code == .clockSkew)
        configuration.origin = Origin(scheme: .https, host: "mimikey.example", port: 443)
        let secure = try await House.authorized(configuration)
        secure.fake.set { $0.clockAhead = .seconds(600) }
        _ = try await secure.ask()
    }

    @Test func `SG-02 SG-03 what is sent is what was hashed, with a body and without`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        _ = try await house.client.request(id)
        _ = try await house.client.cancelRequest(id)
        let sent = house.fake.state.withLock { $0.received }.filter { $0.fields.contains("x-pm-signature") }
        #expect(sent.map(\.body.isEmpty) == [false, true, false])
        for request in sent {
            let canonical = Wire.canonicalString(
                method: request.method, target: request.target, body: request.body,
                timestamp: try #require(request.fields.text("x-pm-timestamp").flatMap { Int64($0) }),
                nonce: try #require(request.fields.text("x-pm-nonce")))
            let signature = try #require(request.fields.text("x-pm-signature").flatMap { Base64URL.decode($0) })
            #expect(
                Ed25519.verify(
                    signature: signature, of: Array(canonical.utf8),
                    publicKey: house.fake.state.withLock { $0.approvalKey }))
        }
    }

    @Test func `SG-07 SG-10 every attempt has a nonce and a time of its own`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.clockAhead = .seconds(-600) }
        house.fake.faults("/api/oauth/account", .answer(FakeMimiKey.error(401, "nonce_replayed")))
        _ = try await house.client.account()
        let sent = house.fake.received("/api/oauth/account")
        #expect(Set(sent.compactMap { $0.fields.text("x-pm-nonce") }).count == 3)
        #expect(Set(sent.compactMap { $0.fields.text("x-pm-signature") }).count == 3)
    }

    @Test func `SG-08 the Date of any other answer teaches nothing`() async throws {
        let house = try await House.authorized()
        for answer in [
            FakeMimiKey.error(401, "nonce_replayed"), FakeMimiKey.error(400, "invalid_op"),
            InboundResponse(status: 503), InboundResponse(status: 401, body: Array("timestamp_out_of_window".utf8)),
        ] {
            house.fake.faults(
                Self.requests,
                .answer(
                    InboundResponse(
                        status: answer.status,
                        fields: [HTTPField("date", HTTPDate.format(house.clock.wall + .seconds(900)))],
                        body: answer.body)))
            _ = await house.problem { try await house.ask() }
            #expect(await house.client.clockOffset == nil)
        }
    }

    @Test func `SG-09 learnt time runs on, whatever happens to the clock's setting`() {
        let clock = ServerClock(shows: UnixTime(seconds: 1000), at: Instant(nanoseconds: 0))
        #expect(clock.time(at: Instant(nanoseconds: 5_000_000_000)) == UnixTime(seconds: 1005))
    }

    @Test func `SG-10 a nonce that was seen is signed anew once, then it is surfaced`() async throws {
        let house = try await House.authorized()
        let replayed = FakeMimiKey.Fault.answer(FakeMimiKey.error(401, "nonce_replayed"))
        house.fake.faults(Self.requests, replayed)
        _ = try await house.ask()
        let nonces = house.fake.received(Self.requests).compactMap { $0.fields.text("x-pm-nonce") }
        #expect(Set(nonces).count == 2)
        house.fake.faults(Self.requests, replayed, replayed)
        #expect(await house.problem { try await house.ask() }?.code == Wire.Code.nonceReplayed)
        #expect(house.fake.received(Self.requests).count == 4)
        #expect(house.log.count(.error) == 1)
    }

    @Test(arguments: ["token_expired", "invalid_token"])
    func `TK-19 a refused access token makes one refresh and one retry`(_ code: String) async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.requests, .answer(FakeMimiKey.error(401, code)))
        _ = try await house.ask()
        #expect(house.fake.refreshes == 1)
        let bearers = house.fake.received(Self.requests).compactMap { $0.fields.text("authorization") }
        #expect(bearers == ["Bearer at_1", "Bearer at_2"])
    }

    @Test func `TK-19 an access token that is expired again is surfaced, without a third call`() async throws {
        let house = try await House.authorized()
        let expired = FakeMimiKey.Fault.answer(FakeMimiKey.error(401, "token_expired"))
        house.fake.faults(Self.requests, expired, expired)
        #expect(await house.problem { try await house.ask() }?.code == Wire.Code.tokenExpired)
        #expect(house.fake.refreshes == 1)
        #expect(await house.client.grantStatus().state == .active)
    }

    @Test func `TK-19 an unknown access token after a refresh is a revoked grant`() async throws {
        let house = try await House.authorized()
        let unknown = FakeMimiKey.Fault.answer(FakeMimiKey.error(401, "invalid_token"))
        house.fake.faults(Self.requests, unknown, unknown)
        #expect(await house.problem { try await house.ask() }?.code == .revoked)
        #expect(try await house.store.loadGrant() == nil)
    }

    @Test func `TK-19 a 403 never triggers a refresh`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.requests, .answer(FakeMimiKey.error(403, "vault_not_granted")))
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.code == ErrorCode("vault_not_granted"))
        #expect(problem?.status == 403)
        #expect(house.fake.refreshes == 0)
    }

    @Test func `many calls that are refused at once share one refresh`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        house.fake.set { $0.access = [:] }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await house.client.request(id) } }
            try await group.waitForAll()
        }
        #expect(house.fake.refreshes == 1)
    }

    @Test func `TK-11 a grant that is revoked in a signed call is wiped`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.isRevoked = true }
        #expect(await house.problem { try await house.ask() }?.code == .revoked)
        #expect(await house.problem { try await house.ask() }?.code == .revoked)
        #expect(house.fake.received(Self.requests).count == 1)
        #expect(house.fake.refreshes == 0)
        #expect(try await house.store.isRevoked())
    }

    @Test func `what is said of an older grant does not touch the new one`() async throws {
        let house = try await House.authorized()
        let gate = Gate()
        house.fake.faults(Self.requests, .held(gate))
        let call = Task { await house.problem { try await house.ask() } }
        await gate.untilReached()
        try await house.authorize()
        house.fake.set { $0.access["at_1"] = UnixTime(seconds: 4_000_000_000) }
        house.fake.set { $0.isRevoked = true }
        gate.open()
        _ = await call.value
        house.fake.set { $0.isRevoked = false }
        #expect(await house.client.grantStatus().state == .active)
        _ = try await house.ask()
    }
}
