package import Core
import MimiKey
import Server
import Strongbox
package import Transport
import Upstream

/// The gateway as a running thing: configuration, store, listeners, open asks.
package final class Daemon: Sendable {
    /// How long running answers may take to end.
    private static let grace = Duration.seconds(10)

    /// Every address that is listened on, as bound.
    package let addresses: [ListenAddress]

    /// The first is the gateway's own: it listens, and speaks to MimiKey. The others serve connections.
    private let loops: [EventLoop]
    private let store: Store
    private let upstream: UpstreamClient
    private let responder: GatewayResponder
    private let server: HTTPServer
    /// Makes cards and polls, as long as the gateway runs.
    private let asks: Task<Void, Never>

    /// Reads the configuration file, opens the store, binds the listeners, picks up open asks. Throws a `StartFailure`.
    package convenience init(configurationFile: String, log: @escaping LogSink) async throws {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration.load(file: configurationFile)
        } catch {
            throw StartFailure(
                code: ErrorCode("configuration"), detail: error.lines.joined(separator: "\n"),
                hint: "`countersign check` shows every problem")
        }
        try await self.init(configuration, log: log)
    }

    /// - Parameter passed: sockets that another process listens on for us, and that are used where the configuration names
    ///   their addresses.
    package init(
        _ configuration: Configuration, passed: [PassedSocket] = [], log: @escaping LogSink
    ) async throws {
        let store = try StartFailure.catching { () throws(StoreError) in
            try Store(configuration.state, keyFile: configuration.keyFile)
        }
        var loops: [EventLoop] = []
        do {
            let loop = try EventLoop(name: "gateway")
            loops.append(loop)
            for number in 1..<configuration.loops { loops.append(try EventLoop(name: "connections \(number)")) }
            let trust = configuration.mimiKey.authorities.map(TLSTrust.init) ?? TLSTrust()
            let upstream = try UpstreamClient(
                .origin(configuration.mimiKey.client.origin), on: loop, trusting: trust)
            let responder = GatewayResponder(
                configuration: configuration, store: store,
                send: { (request) async throws(SendFailure) in try await upstream.send(request) },
                time: loop.time, log: log, owner: OwnUser.id, executor: loop)
            try await responder.start()
            let server = Self.server(on: loops, configuration.limits, responder, log)
            addresses = try await Self.listen(on: configuration, passed: passed, server)
            self.store = store
            self.loops = loops
            self.upstream = upstream
            self.responder = responder
            self.server = server
            asks = Task(executorPreference: loop) { await responder.run() }
        } catch {
            await store.close()
            for loop in loops { await loop.stop() }
            throw StartFailure(error)
        }
        for warning in configuration.warnings {
            log(
                LogEvent(
                    .warning, "the configuration has a warning",
                    [(.code, .string(warning.code.rawValue)), (.detail, .string(warning.detail))]))
        }
        for address in addresses {
            log(LogEvent(.info, "listening", [(.address, .string(address.logText))]))
        }
    }

    /// Lets running answers end (waits are answered at once), and what has an outcome at MimiKey come to its end, then
    /// returns.
    package func shutDown() async {
        await responder.drain()
        await server.shutDown(grace: Self.grace)
        await responder.finishCards()
        asks.cancel()
        await asks.value
        await responder.finishTokens()
        await upstream.close()
        await store.close()
        for loop in loops { await loop.stop() }
    }

    private static func server(
        on loops: [EventLoop], _ limits: GatewayLimits, _ responder: GatewayResponder, _ log: @escaping LogSink
    ) -> HTTPServer {
        var serverLimits = ServerLimits()
        serverLimits.connections = limits.connections
        return HTTPServer(
            loops: loops, limits: serverLimits, responder: responder,
            problem: { error in
                Problem(error.code, error.detail, status: error.status)
                    .response(traceID: Hex.encode(Randomness.bytes(8)))
            }, answersWhenFull: HealthRoutes.isAboutHealth, log: log)
    }
}

extension ListenAddress {
    fileprivate var logText: String {
        switch self {
        case .tcp(let address): address.description
        case .unix(let unix): unix.path
        }
    }
}
