import Core
import Strongbox
import Synchronization
import TestSupport

@testable import Gateway

/// A gateway in this process: the real routes, store and client over a fake MimiKey, on a clock that stands still.
final class TestGateway: Sendable {
    static let token = "cs_" + String(repeating: "a", count: 43)
    static let otherToken = "cs_" + String(repeating: "b", count: 43)
    static let address = TCPAddress(ip: .v4([127, 0, 0, 1]), port: 7447)
    static let owner: UInt32 = 4711

    let clock: ManualClock
    let mimiKey: FakeMimiKey
    let store: Store
    let responder: GatewayResponder
    /// `nil`: requests are handed to the responder as they are.
    let wire: Wire?

    init(_ options: Options, clock: ManualClock, mimiKey: FakeMimiKey, store: Store) async throws {
        self.clock = clock
        self.mimiKey = mimiKey
        self.store = store
        let box = EventBox()
        responder = GatewayResponder(
            configuration: try options.configuration(), store: store, send: mimiKey.send, time: clock.source,
            log: { box.append($0) }, owner: Self.owner, open: options.open, spread: { .zero })
        self.box = box
        wire = options.overSocket ? try await Wire(to: responder) : nil
    }

    private let box: EventBox

    var log: [LogEvent] { box.events }
    /// Everything that was logged, as text.
    var logText: String { log.map { "\($0.level) \($0.message) \($0.values)" }.joined(separator: "\n") }

    struct Options: Sendable {
        var rules = "      - { ops: [pick_item], fields: [username, password] }"
        var otherRules = "      - { ops: [pick_item], fields: all }"
        var limits = "{ open: 3, longest_wait: 5m }"
        var gatewayOpen = 90
        var hosts = ""
        /// More lines under `listen`, two blanks in.
        var sockets = ""
        var open: (@Sendable (String) async -> Bool)?
        /// Requests go over a socket, by our own server and client.
        var overSocket = false

        func configuration() throws -> Configuration {
            let text = """
                listen:
                  - tcp: 127.0.0.1:7447
                \(hosts.isEmpty ? "" : "    hosts: \(hosts)")
                  - tcp: "[::1]:7447"
                \(sockets)
                admin: { unix: /run/countersign-test/admin.sock }
                state: memory
                mimikey:
                  origin: http://127.0.0.1:7448
                  client_id: pmc_test
                  redirect_uri: http://127.0.0.1:7447/callback
                  download_url: https://mimikey.example/download
                callers:
                  agent:
                    tokens: ["sha256:\(SHA256.hex(Array(TestGateway.token.utf8)))"]
                    may:
                \(rules)
                    limits: \(limits)
                  other:
                    tokens: ["sha256:\(SHA256.hex(Array(TestGateway.otherToken.utf8)))"]
                    may:
                \(otherRules)
                limits: { open: \(gatewayOpen) }
                """
            return try Configuration.decode(Array(text.utf8), file: "test.yaml")
        }
    }
}

private final class EventBox: Sendable {
    private let list = Mutex<[LogEvent]>([])
    var events: [LogEvent] { list.withLock { $0 } }
    func append(_ event: LogEvent) { list.withLock { $0.append(event) } }
}

/// Runs `body` beside a gateway that carries out its jobs; both end together.
func withGateway(
    _ options: TestGateway.Options = TestGateway.Options(), authorized: Bool = true,
    vaults: [Vault] = FakeMimiKey.vaults, _ body: @Sendable @escaping (TestGateway) async throws -> Void
) async throws {
    let clock = ManualClock()
    let mimiKey = FakeMimiKey(wall: { clock.wall }, vaults: vaults)
    let store = try Store(.memory, keyFile: nil)
    if authorized { try await store.save(mimiKey.grant) }
    try await withGateway(options, clock: clock, mimiKey: mimiKey, store: store, body)
}

/// The same over a store and a MimiKey that were there before: a restart.
func withGateway(
    _ options: TestGateway.Options = TestGateway.Options(), clock: ManualClock, mimiKey: FakeMimiKey, store: Store,
    _ body: @Sendable @escaping (TestGateway) async throws -> Void
) async throws {
    let gateway = try await TestGateway(options, clock: clock, mimiKey: mimiKey, store: store)
    try await gateway.responder.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await gateway.responder.run() }
        try await body(gateway)
        group.cancelAll()
        await gateway.wire?.close()
    }
}
