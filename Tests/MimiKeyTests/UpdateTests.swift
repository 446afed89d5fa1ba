import Core
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

/// An update, from the draft to the card.
struct UpdateTests {
    private static let requests = "/api/oauth/requests"
    private static let first = "/api/oauth/requests/rq_1"
    private static let patch = #"{"patch":{"password":"hunter3"}}"#

    private var call: Call {
        Call(
            caller: CallerName("agent")!, op: .updateItem, vaultID: "v_1", itemID: "it_1",
            patch: PatchOutline(names: ["password"], fingerprint: "f"))
    }

    private func body(_ text: String = patch) -> SecretBody { SecretBody(copying: Array(text.utf8).span.bytes) }

    private func update(_ house: House, _ body: SecretBody? = nil) async throws -> RequestSnapshot {
        try await house.client.update(call, reason: "agent: rotate", patch: body ?? self.body()) { _ in }
    }

    /// Lets every pause pass at once.
    private func hurried<Value: Sendable>(
        _ house: House, _ work: @escaping @Sendable () async -> Value
    ) async -> Value {
        let hurry = Task {
            while !Task.isCancelled {
                await house.clock.untilSleepers { $0.contains { $0 < .seconds(1000) } }
                house.clock.advance(by: .seconds(1))
            }
        }
        let value = await work()
        hurry.cancel()
        // It waits for one more sleeper.
        let last = Task { try await house.clock.source.sleep(house.clock.now + .seconds(1)) }
        await hurry.value
        last.cancel()
        return value
    }

    @Test func `an update is a draft, a look at the account and a sealed patch`() async throws {
        let house = try await House.authorized()
        let told = Mutex<[RequestSnapshot]>([])
        let fake = house.fake
        let card = try await house.client.update(call, reason: "agent: rotate", patch: body()) { draft in
            told.withLock { $0.append(draft) }
            #expect(fake.openedPatch(of: draft.id) == nil)
        }
        #expect(card.state == .pending)
        #expect(card.expiresAt == house.clock.wall + .seconds(600))
        let drafts = told.withLock { $0 }
        #expect(drafts.map(\.id) == ["rq_1"])
        #expect(drafts.map(\.state) == [.draft])
        #expect(drafts.first?.expiresAt == house.clock.wall + .seconds(60))
        #expect(
            house.fake.state.withLock { $0.received.map { "\($0.method.name) \($0.target)" } }.suffix(3) == [
                "POST /api/oauth/requests", "GET /api/oauth/account", "PUT /api/oauth/requests/rq_1/patch",
            ])
        #expect(
            String(decoding: try #require(house.fake.received(Self.requests).first).body, as: UTF8.self)
                == #"{"op":"update_item","vault_id":"v_1","item_id":"it_1","fields":["password"],"reason":"agent: rotate"}"#
        )
        #expect(house.fake.openedPatch(of: "rq_1") == Self.patch)
        let upload = try #require(house.fake.received(Self.first + "/patch").first)
        #expect(try JSONDocument(upload.body).root.members.map(\.name) == ["patch_enc"])
    }

    @Test func `the largest patch that MimiKey takes is sent, and a larger one makes no draft`() async throws {
        let house = try await House.authorized()
        let room = 49_104 - #"{"patch":{"notes":""}}"#.utf8.count
        func notes(_ count: Int) -> SecretBody {
            body(#"{"patch":{"notes":"\#(String(repeating: "n", count: count))"}}"#)
        }
        #expect(try await update(house, notes(room)).state == .pending)
        #expect(house.fake.state.withLock { $0.requests["rq_1"]?.patch?.utf8.count } == 65_536)
        #expect(await house.problem { try await update(house, notes(room + 1)) }?.code == .invalidPatch)
        #expect(await house.problem { try await update(house, body("")) }?.code == .emptyPatch)
        #expect(house.fake.received(Self.requests).count == 1)
    }

    @Test func `another identity key ends it before anything is sealed, and takes the draft back`() async throws {
        let house = try await House.authorized()
        _ = try await update(house)
        house.fake.set { $0.identity = SealKey() }
        #expect(await house.problem { try await update(house) }?.code == .identityKeyChanged)
        #expect(house.fake.received("/api/oauth/requests/rq_2/patch").isEmpty)
        #expect(house.fake.state.withLock { $0.requests["rq_2"]?.status } == "cancelled")
    }

    // MARK: What gets lost

    @Test func `AP-02 a draft whose answer is lost is outcome_unknown, and nothing is sent again`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.requests, .answerLost(.resetAfterSending))
        #expect(await house.problem { try await update(house) }?.code == .outcomeUnknown)
        #expect(house.fake.received(Self.requests).count == 1)
        #expect(house.fake.cards == 0)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.answerLost(.resetAfterSending), .answerLost(SendFailure(.timedOut, bytesMayHaveLeft: true)),
        .answerLost(SendFailure(.malformed, bytesMayHaveLeft: true)),
    ])
    func `AP-02 an upload whose answer is lost is found by its state`(_ fault: FakeMimiKey.Fault) async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.first + "/patch", fault)
        #expect(try await update(house).state == .pending)
        #expect(house.fake.received(Self.first + "/patch").count == 1)
        #expect(house.fake.received(Self.first).count == 1)
        #expect(house.fake.cards == 1)
    }

    @Test(arguments: [
        FakeMimiKey.Fault.lost(.resetAfterSending), .lost(.refusedConnection),
        .answer(InboundResponse(status: 502, body: Array("<html>".utf8))),
        .answer(InboundResponse(status: 200, body: Array("{}".utf8))),
        .answer(FakeMimiKey.error(500, "database_error")),
    ])
    func `AP-02 an upload that did not arrive is made again, for the same draft`(
        _ fault: FakeMimiKey.Fault
    ) async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.first + "/patch", fault)
        let state = await hurried(house) { try? await update(house).state }
        #expect(state == .pending)
        #expect(house.fake.received(Self.first + "/patch").count == 2)
        #expect(house.fake.received(Self.requests).count == 1)
        #expect(house.fake.cards == 1)
    }

    @Test func `AP-02 while nobody says what became of an upload, it is asked on`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.first + "/patch", .answerLost(.resetAfterSending))
        house.fake.faults(
            Self.first, .lost(.refusedConnection), .answer(FakeMimiKey.error(404, "request_not_found")),
            .answer(InboundResponse(status: 503)))
        let state = await hurried(house) { try? await update(house).state }
        #expect(state == .pending)
        #expect(house.fake.cards == 1)
    }

    @Test func `AP-02 an upload of which nobody ever hears is outcome_unknown`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.first + "/patch", .answerLost(.resetAfterSending))
        let gone = [FakeMimiKey.Fault](repeating: .lost(.refusedConnection), count: 100)
        house.fake.set { $0.faults[Self.first] = gone }
        let problem = await hurried(house) { await house.problem { try await update(house) } }
        #expect(problem?.code == .outcomeUnknown)
        #expect(house.fake.received(Self.requests).count == 1)
    }

    // MARK: Drafts that run out

    @Test func `AP-01 a draft that is 61 s old before its patch is sent is replaced, once`() async throws {
        let house = try await House.authorized()
        house.fake.faults("/api/oauth/account", .late(.seconds(61)))
        let told = Mutex<[String]>([])
        let card = try await house.client.update(call, reason: nil, patch: body()) { draft in
            told.withLock { $0.append(draft.id) }
        }
        #expect(card.id == "rq_2")
        #expect(told.withLock { $0 } == ["rq_1", "rq_2"])
        #expect(house.fake.received(Self.first + "/patch").isEmpty)
        #expect(house.fake.cards == 1)
        #expect(house.fake.openedPatch(of: "rq_2") == Self.patch)
    }

    @Test func `AP-01 an upload that arrives after 61 s finds no draft, and another one is made`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.first + "/patch", .late(.seconds(61)))
        #expect(try await update(house).id == "rq_2")
        #expect(house.fake.cards == 1)
    }

    @Test func `AP-01 a second draft that runs out is draft_lost`() async throws {
        let house = try await House.authorized()
        house.fake.faults("/api/oauth/account", .late(.seconds(61)), .late(.seconds(61)))
        let problem = await house.problem { try await update(house) }
        #expect(problem?.code == .draftLost)
        #expect(problem?.retryable == true)
        #expect(house.fake.received(Self.requests).count == 2)
        #expect(house.fake.cards == 0)
    }

    @Test func `AP-01 an upload that may still arrive late is taken back before another draft is made`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.first + "/patch", .lostLate(.seconds(46), .resetAfterSending))
        #expect(try await update(house).id == "rq_2")
        #expect(house.fake.received(Self.first + "/cancel").count == 1)
        #expect(house.fake.state.withLock { $0.requests["rq_1"]?.status } == "cancelled")
        #expect(house.fake.cards == 1)
    }

    @Test func `a draft of a grant that was replaced is not carried on`() async throws {
        let house = try await House.authorized()
        let gate = Gate()
        house.fake.faults("/api/oauth/account", .held(gate))
        let working = Task { await house.problem { try await update(house) } }
        await gate.untilReached()
        try await house.authorize()
        gate.open()
        #expect(await working.value?.code == .grantReplaced)
        #expect(house.fake.received(Self.first + "/patch").isEmpty)
    }

    @Test func `a refusal of the patch is surfaced, and the draft is taken back`() async throws {
        let house = try await House.authorized()
        house.fake.faults(Self.first + "/patch", .answer(FakeMimiKey.error(400, "invalid_patch")))
        #expect(await house.problem { try await update(house) }?.code == .invalidPatch)
        #expect(house.fake.state.withLock { $0.requests["rq_1"]?.status } == "cancelled")
    }
}
