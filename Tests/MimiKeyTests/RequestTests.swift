import Core
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

struct RequestTests {
    private static let requests = "/api/oauth/requests"

    @Test func `a pick is written with its hint, vault and reason`() async throws {
        let house = try await House.authorized()
        let call = Call(
            caller: house.pick.caller, op: .pickItem, hint: Hint(url: "https://bank.example.com", kind: "login"),
            vaultID: "v_1", reason: "the caller's own", want: ["password"])
        let snapshot = try await house.client.create(call, reason: "agent: reconcile")
        #expect(snapshot.id == "rq_1")
        #expect(snapshot.state == .pending)
        #expect(snapshot.expiresAt == house.clock.wall + .seconds(600))
        let body = try #require(house.fake.received(Self.requests).first?.body)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"op":"pick_item","vault_id":"v_1","hint":{"url":"https://bank.example.com","kind":"login"},"reason":"agent: reconcile"}"#
        )
    }

    @Test func `what is not asked for is not written`() {
        let call = Call(caller: CallerName("agent")!, op: .pickItem)
        #expect(Wire.createBody(call, reason: nil) == Array(#"{"op":"pick_item"}"#.utf8))
    }

    @Test func `answers may be wrapped`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.wrapsRequests = true }
        let id = try await house.ask().id
        #expect(try await house.client.request(id).state == .pending)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.answerLost(.resetAfterSending), .lost(SendFailure(.timedOut, bytesMayHaveLeft: true)),
        .answer(InboundResponse(status: 503, body: Array("<html>".utf8))),
        .answer(InboundResponse(status: 200, body: Array("<html>".utf8))),
        .answer(InboundResponse(status: 201, body: Array(#"{"id":"rq_1","sta"#.utf8))),
        .answer(FakeMimiKey.error(500, "internal_error")),
    ])
    func `AP-02 a create whose answer is lost is outcome_unknown and never sent again`(
        _ fault: FakeMimiKey.Fault
    ) async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.requests, fault)
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.code == .outcomeUnknown)
        #expect(problem?.retryable == false)
        #expect(house.fake.received(Self.requests).count == 1)
    }

    @Test func `what is said of another request changes nothing`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        let other = InboundResponse(status: 200, body: Array(#"{"id":"rq_other","status":"denied"}"#.utf8))
        house.fake.faults("\(Self.requests)/\(id)", .answer(other))
        #expect(await house.problem { try await house.client.request(id) }?.code == .malformedResponse)
        #expect(try await house.client.request(id).state == .pending)
    }

    @Test(arguments: ["denied", "storage", "policy_denied", "shutting_down"])
    func `a code that only we say is none when MimiKey says it`(_ code: String) async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.requests, .answer(FakeMimiKey.error(400, code)))
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.code == ErrorCode("http_400"))
        #expect(problem?.status == 502)
        #expect(problem?.retryable == false)
    }

    @Test func `a create that did not leave is upstream_unreachable`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.requests, .lost(.refusedConnection))
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.code == .upstreamUnreachable)
        #expect(problem?.status == 504)
        #expect(problem?.retryable == true)
    }

    @Test func `database_error is followed by three attempts, further and further apart`() async throws {
        let house = try await House.authorized()
        let failed = FakeMimiKey.Fault.answer(FakeMimiKey.error(500, "database_error"))
        house.fake.faults(Self.requests, failed, failed, failed, failed)
        async let problem = house.problem { try await house.ask() }
        for pause in [1, 2, 4] as [Int64] {
            await house.clock.untilSleeping()
            house.clock.advance(by: .seconds(pause))
        }
        #expect(await problem?.code == Wire.Code.databaseError)
        #expect(house.fake.received(Self.requests).count == 4)
        _ = try await house.ask()
    }

    @Test func `codes pass verbatim, and only what looks like one`() async throws {
        let house = try await House.authorized()
        house.fake.faults(
            Self.requests, .answer(FakeMimiKey.error(400, "brand_new_code")),
            .answer(FakeMimiKey.error(409, "Not a code!")), .answer(InboundResponse(status: 404, body: [0xFF])),
            .answer(FakeMimiKey.error(429, "too_many_requests")))
        let new = await house.problem { try await house.ask() }
        #expect(new?.code == ErrorCode("brand_new_code"))
        #expect(new?.status == 400)
        #expect(await house.problem { try await house.ask() }?.code == ErrorCode("http_409"))
        #expect(await house.problem { try await house.ask() }?.code == ErrorCode("http_404"))
        #expect(await house.problem { try await house.ask() }?.status == 429)
    }

    @Test func `cancelling gives the final state, also when it has finished already`() async throws {
        let house = try await House.authorized()
        let first = try await house.ask().id
        #expect(try await house.client.cancelRequest(first).state == .cancelled)
        #expect(try await house.client.cancelRequest(first).state == .cancelled)
        let second = try await house.ask().id
        house.fake.approve(second)
        #expect(try await house.client.cancelRequest(second).state == .completed)
        #expect(house.fake.received("\(Self.requests)/\(first)/cancel").first?.body == Array("{}".utf8))
    }

    @Test(arguments: ["", "..", "a/b", "a?b", "a#b", "a%2e", String(repeating: "a", count: 129), "a\n"])
    func `ids that MimiKey cannot have given are never sent`(_ id: String) async throws {
        let house = try await House.authorized()
        #expect(await house.problem { try await house.client.request(id) }?.code == .notFound)
        #expect(await house.problem { try await house.client.cancelRequest(id) }?.code == .notFound)
    }

    @Test func `without a grant everything is not_authorized at once`() async throws {
        let house = try House()
        try await house.client.start()
        let problem = await house.problem { try await house.ask() }
        #expect(problem?.code == .notAuthorized)
        #expect(problem?.nextAction == .authorize)
        #expect(house.fake.state.withLock { $0.received.isEmpty })
    }

    @Test func `a result opens for its own request only`() async throws {
        let house = try await House.authorized()
        let id = try await house.ask().id
        house.fake.approve(id)
        let sealed = try #require(try await house.client.request(id).sealedResult)
        #expect(try await house.client.open(sealed, of: id).text == FakeMimiKey.login)
        #expect(try await house.client.open(sealed + "=".repeated(sealed), of: id).text == FakeMimiKey.login)
        #expect(await house.problem { try await house.client.open(sealed, of: "rq_2") }?.code == .resultOpenFailed)
        #expect(await house.problem { try await house.client.open(sealed + "!", of: id) }?.code == .resultOpenFailed)
        #expect(await house.problem { try await house.client.open("", of: id) }?.code == .resultMissing)
    }
}

/// Snapshots and deep links, as they are read and written.
struct SnapshotTests {
    private let now = UnixTime(seconds: 1_780_000_000)

    private func snapshot(_ members: String) throws -> RequestSnapshot {
        try Wire.snapshot(Array(#"{"id":"rq_1","status":"pending"\#(members)}"#.utf8), now: now)
    }

    @Test(
        arguments: [
            ("1780000600", 600), ("1780000600000", 600), (#""2026-05-28T20:36:40Z""#, 600),
            (#""2026-05-28T22:36:40+02:00""#, 600), (#""2026-05-28t20:36:40.000z""#, 600), ("1779999999", -1),
            (#""2026-05-28T20:36:40.000000Z""#, 600), (#""2026-05-28T20:36:40.000000000Z""#, 600),
            (#""2026-05-28T15:06:40-05:30""#, 600), (#""1999-12-31T23:59:59Z""#, 946_684_799 - 1_780_000_000),
            ("0", -1_780_000_000), ("1780999999", 86_400), ("4102444800", 86_400),
        ] as [(String, Int64)])
    func `AP-14 deadlines are read, and none is for ever`(_ text: String, _ seconds: Int64) throws {
        #expect(try snapshot(#","expires_at":\#(text)"#).expiresAt == now + .seconds(seconds))
    }

    @Test(arguments: [
        "", #","expires_at":null"#, #","expires_at":"soon""#, #","expires_at":-1"#, #","expires_at":1e99"#,
        #","expires_at":true"#, #","expires_at":{}"#, #","expires_at":"2026-05-28""#, #","expires_at":"""#,
        #","expires_at":"2026-05-28T20:36:40""#, #","expires_at":"1780000600""#,
    ])
    func `AP-14 unreadable deadlines are none`(_ member: String) throws {
        #expect(try snapshot(member).expiresAt == nil)
    }

    @Test func `AP-14 a request that comes without a deadline gets one of 10 minutes`() async throws {
        let house = try await House.authorized()
        house.fake.faults(
            "/api/oauth/requests", .answer(FakeMimiKey.json(["id": "rq_1", "status": "pending"])))
        #expect(try await house.ask().expiresAt == house.clock.wall + .seconds(600))
    }

    @Test(arguments: [
        "{}", "[]", #"{"id":"rq_1"}"#, #"{"status":"pending"}"#, #"{"id":"rq_1","status":"failed"}"#,
        #"{"id":"rq_1","status":"PENDING"}"#, #"{"id":"a/b","status":"pending"}"#, #"{"id":5,"status":"pending"}"#,
        "", "<html>",
    ])
    func `what is no request is malformed`(_ text: String) {
        #expect(throws: Wire.malformed) { _ = try Wire.snapshot(Array(text.utf8), now: now) }
    }

    @Test func `an empty box is none`() throws {
        #expect(try snapshot(#","result_enc":"""#).sealedResult == nil)
        #expect(try snapshot(#","result_enc":"AAAA""#).sealedResult == "AAAA")
    }

    @Test(
        arguments: [
            ("mimikey://request?request_id=rq_1", "mimikey://request?request_id=rq_1&state=s%26t"),
            ("mimikey://request", "mimikey://request?state=s%26t"),
            (nil, "mimikey://request?request_id=rq_1&client_id=pmc_x&state=s%26t"),
            ("https://evil.test/", "mimikey://request?request_id=rq_1&client_id=pmc_x&state=s%26t"),
            ("javascript:alert(1)", "mimikey://request?request_id=rq_1&client_id=pmc_x&state=s%26t"),
            ("mimikey://request?request_id=rq_1#x", "mimikey://request?request_id=rq_1&client_id=pmc_x&state=s%26t"),
            ("mimikey://request?a=b&state=theirs", "mimikey://request?request_id=rq_1&client_id=pmc_x&state=s%26t"),
            ("mimikey://request?a=%zz", "mimikey://request?request_id=rq_1&client_id=pmc_x&state=s%26t"),
        ] as [(String?, String)])
    func `only a mimikey URL is opened, with our state`(_ given: String?, _ opened: String) throws {
        let member = given.map { #","open_url":"\#($0)""# } ?? ""
        #expect(MimiKeyClient.openURL(of: try snapshot(member), clientID: "pmc_x", state: "s&t") == opened)
    }
}

extension String {
    /// The padding that `text` lacks.
    fileprivate func repeated(_ text: String) -> String {
        String(repeating: self, count: (4 - text.utf8.count % 4) % 4)
    }
}
