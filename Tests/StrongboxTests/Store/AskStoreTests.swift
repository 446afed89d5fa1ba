import Core
import Strongbox
import Testing

struct AskStoreTests {
    private func fullAsk() throws -> Ask {
        var ask = Ask(
            id: AskID(randomBytes: [UInt8](repeating: 9, count: 16)),
            call: Call(
                caller: try #require(CallerName("reconcile-bot")), uid: 1001, op: .pickItem,
                hint: Hint(url: "https://bank.example.com/\"ä\"", title: "Bank\n2", kind: "login"), vaultID: "v_1",
                reason: "reconcile \u{1F511}", want: ["password", "username"]),
            createdAt: UnixTime(nanoseconds: 1_780_000_000_123_456_789), callbackState: "st")
        ask.upstreamID = "rq_1"
        ask.state = .completed
        ask.expiresAt = UnixTime(seconds: 1_780_000_600)
        ask.openURL = "mimikey://request?request_id=rq_1&state=st"
        ask.denyReason = "conflict"
        ask.error = .outcomeUnknown
        ask.finishedAt = UnixTime(seconds: 1_780_000_100)
        return ask
    }

    @Test func `An ask survives the process with every member`() async throws {
        let directory = try TemporaryDirectory()
        let full = try fullAsk()
        let bare = try Sample.ask(1)
        let first = try directory.openStore()
        try await first.save(full)
        try await first.save(bare)
        await first.close()
        let second = try directory.openStore()
        #expect(try await second.ask(full.id) == full)
        #expect(try await second.ask(bare.id) == bare)
        #expect(try await second.openAsks() == [full, bare])
        #expect(try await second.ask(try Sample.ask(2).id) == nil)
    }

    @Test func `An empty want is not an absent one`() async throws {
        let store = try Store(.memory, keyFile: nil)
        let ask = Ask(
            id: AskID(randomBytes: [UInt8](repeating: 3, count: 16)),
            call: Call(caller: try #require(CallerName("a")), op: .pickItem, want: []),
            createdAt: UnixTime(seconds: -1), callbackState: "")
        try await store.save(ask)
        #expect(try await store.ask(ask.id) == ask)
    }

    @Test func `An ask is overwritten under its id, and keeps its place`() async throws {
        let store = try Store(.memory, keyFile: nil)
        var first = try Sample.ask(1)
        let second = try Sample.ask(2)
        try await store.save(first)
        try await store.save(second)
        first.upstreamID = "rq_7"
        first.state = .approved
        try await store.save(first)
        #expect(try await store.openAsks() == [first, second])
    }

    @Test func `Open are the unfinished and the undelivered`() async throws {
        let store = try Store(.memory, keyFile: nil)
        var expected: [AskState] = []
        for (index, state) in AskState.allCases.enumerated() {
            try await store.save(try Sample.ask(UInt8(index), state: state))
            if !state.isFinished || state == .completed { expected.append(state) }
        }
        var delivered = try Sample.ask(100, state: .completed)
        delivered.deliveredAt = UnixTime(seconds: 1_780_000_200)
        try await store.save(delivered)
        #expect(try await store.openAsks().map(\.state) == expected)
    }

    @Test func `What was finished long ago is forgotten`() async throws {
        let store = try Store(.memory, keyFile: nil)
        let open = try Sample.ask(1)
        var old = try Sample.ask(2, state: .denied)
        old.finishedAt = UnixTime(seconds: 999)
        var recent = try Sample.ask(3, state: .denied)
        recent.finishedAt = UnixTime(seconds: 1000)
        for ask in [open, old, recent] { try await store.save(ask) }
        try await store.forgetAsks(finishedBefore: UnixTime(seconds: 1000))
        #expect(try await store.ask(old.id) == nil)
        #expect(try await store.ask(recent.id) == recent)
        #expect(try await store.ask(open.id) == open)
    }
}
