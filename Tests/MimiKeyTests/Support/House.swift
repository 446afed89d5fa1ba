import Core
import MimiKey
import Strongbox
import Synchronization
import TestSupport
import Testing

/// A client, its store, its clock and the MimiKey that it talks to.
struct House {
    static let configuration = MimiKeyConfiguration(
        origin: Origin(scheme: .http, host: "127.0.0.1", port: 7448), clientID: "pmc_test",
        redirectURI: "http://127.0.0.1:7447/callback")

    let clock: ManualClock
    let fake: FakeMimiKey
    let store: Store
    let log: RecordedLog
    let client: MimiKeyClient

    /// Without a grant.
    init(_ configuration: MimiKeyConfiguration = House.configuration, store: Store? = nil) throws {
        let clock = ManualClock()
        self.init(
            configuration, clock: clock, fake: FakeMimiKey(clock: clock),
            store: try store ?? Store(.memory, keyFile: nil))
    }

    /// The same clock and MimiKey, another process over another store.
    func beside(_ store: Store) -> House { House(Self.configuration, clock: clock, fake: fake, store: store) }

    private init(
        _ configuration: MimiKeyConfiguration, clock: ManualClock, fake: FakeMimiKey, store: Store,
        spread: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.clock = clock
        self.fake = fake
        self.store = store
        let log = RecordedLog()
        self.log = log
        client = MimiKeyClient(
            configuration, store: store, send: fake.send, time: clock.source, log: { log.add($0) }, spread: spread)
    }

    /// With a grant, as an authorization makes one.
    static func authorized(_ configuration: MimiKeyConfiguration = House.configuration) async throws -> House {
        let house = try House(configuration)
        try await house.authorize()
        return house
    }

    func authorize() async throws {
        let status = try await client.beginAuthorization()
        let outcome = await client.handleCallback(try fake.consent(to: status.url))
        guard case .authorization(let ended) = outcome else {
            Issue.record("no authorization ended")
            return
        }
        #expect(ended.state == .completed)
    }

    /// The same store and MimiKey, another process.
    func restarted(_ configuration: MimiKeyConfiguration = House.configuration) async throws -> House {
        let house = House(configuration, clock: clock, fake: fake, store: store)
        try await house.client.start()
        return house
    }

    /// The access token has run out.
    func outliveAccessToken() { clock.advance(by: .seconds(3600)) }

    var pick: Call {
        Call(caller: CallerName("agent")!, op: .pickItem, hint: Hint(url: "https://bank.example.com"))
    }

    /// A request that is pending.
    func ask() async throws -> RequestSnapshot { try await client.create(pick, reason: "agent: reconcile") }

    /// What a call that must fail throws.
    func problem<Value: Sendable>(_ body: () async throws -> Value) async -> Problem? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? Problem
        }
    }
}

/// What was logged.
final class RecordedLog: Sendable {
    private let events = Mutex<[LogEvent]>([])

    func add(_ event: LogEvent) { events.withLock { $0.append(event) } }

    func count(_ level: LogEvent.Level) -> Int { events.withLock { $0.count { $0.level == level } } }

    /// Every sentence and value, for searching.
    var text: String {
        events.withLock { events in
            events.map { event in
                "\(event.message) "
                    + event.values.map { "\($0.field)=\(String(decoding: $0.value.encoded(), as: UTF8.self))" }
                    .joined(separator: " ")
            }.joined(separator: "\n")
        }
    }
}

extension SendFailure {
    static let refusedConnection = SendFailure(.connectFailed, bytesMayHaveLeft: false)
    static let resetAfterSending = SendFailure(.closed, bytesMayHaveLeft: true)
}
