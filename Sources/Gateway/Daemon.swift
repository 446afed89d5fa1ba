package import Core
import MimiKey
import Server
import Strongbox
package import Transport
import Upstream

/// The gateway as a running thing: configuration, store, listeners, open asks.
package final class Daemon: Sendable {
    /// How long running answers may take to end; the second is for an end that has to come at once.
    private static let grace = Duration.seconds(10)
    private static let shortGrace = Duration.milliseconds(300)
    /// How often the store is looked after, when all is well and when it is not.
    private static let rounds = Duration.seconds(30)
    private static let quickRounds = Duration.seconds(5)
    /// What it needs besides those of the connections: store, loops, listeners, MimiKey.
    private static let ownDescriptors = 256

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
    private let keeper: Task<Void, Never>

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
            keeper = Task(executorPreference: loop) {
                while !Task.isCancelled {
                    let isWell = await responder.tend()
                    let next = loop.time.now() + (isWell ? Self.rounds : Self.quickRounds)
                    guard (try? await loop.time.sleep(next)) != nil else { return }
                }
            }
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
    /// returns. `promptly`: as if `hurry` had been called, but for who waits: they are still answered.
    package func shutDown(promptly: Bool = false) async {
        keeper.cancel()
        await responder.drain()
        if promptly { await responder.hurry() }
        await server.shutDown(grace: promptly ? Self.shortGrace : Self.grace)
        await responder.finishCards()
        asks.cancel()
        await asks.value
        await keeper.value
        await responder.finishTokens()
        _ = await responder.tend()
        await upstream.close()
        await store.close()
        for loop in loops { await loop.stop() }
    }

    /// An end that is under way is to come at once. Only a token that is being spent is still waited for: a lost answer
    /// would cost the grant.
    package func hurry() async {
        await responder.hurry()
        await server.shutDown(grace: .zero)
    }

    private static func server(
        on loops: [EventLoop], _ limits: GatewayLimits, _ responder: GatewayResponder, _ log: @escaping LogSink
    ) -> HTTPServer {
        var serverLimits = ServerLimits()
        serverLimits.connections = limits.connections
        let needed = serverLimits.descriptors + ownDescriptors
        let allowed = DescriptorLimit.raise(to: needed)
        if allowed < needed {
            let advice =
                "Raise the hard limit of `ulimit -n` (LimitNOFILE= of a service), or lower `limits.connections`."
            log(
                LogEvent(
                    .warning, "fewer descriptors are allowed than all connections need",
                    [(.count, .integer(Int64(allowed))), (.detail, .string("\(needed) are needed. \(advice)"))]))
        }
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
