package import Core
import MimiKey
package import Strongbox
import Synchronization

/// Answers every request: door, route, visitor, handler, log line. It listens to nothing itself, so a test can call it.
package final class GatewayResponder: Responder {
    let services: Services
    private let door: Door
    private let log: LogSink
    private let entrances: Entrances
    private let seats = Seats()
    private let isDraining = Atomic(false)

    /// - Parameters:
    ///   - send: the way to MimiKey.
    ///   - owner: the gateway's own user.
    ///   - executor: where the tasks run that outlive their requests, such as a token refresh; `nil`: the default one.
    ///   - open: shows a card, instead of the configured program.
    ///   - spread: how much later than by their cadence MimiKey is asked.
    package init(
        configuration: Configuration, store: Store, send: @escaping Send, time: TimeSource, log: @escaping LogSink,
        owner: UInt32, executor: (any TaskExecutor)? = nil, open: (@Sendable (_ url: String) async -> Bool)? = nil,
        spread: @escaping @Sendable () -> Duration = PollSchedule.randomSpread
    ) {
        let upstream = UpstreamHealth(log: log)
        let client = MimiKeyClient(
            configuration.mimiKey.client, store: store, send: upstream.watching(send), time: time, log: log,
            executor: executor, spread: spread)
        let mimiKey = configuration.mimiKey
        let opener = open.map(Opener.init) ?? Opener(running: mimiKey.open, time: time)
        let opens = open != nil || !mimiKey.open.isEmpty
        let asks = AskBook(
            AskBook.Settings(
                clientID: mimiKey.client.clientID, opens: opens,
                downloadURL: mimiKey.downloadURL, open: configuration.limits.open),
            store: store, client: client,
            opener: opener, time: time, log: log)
        services = Services(
            configuration: configuration, callers: CallerDirectory(configuration.callers), store: store,
            client: client, asks: asks, links: AuthorizationLinks(opener: opens ? opener : nil, log: log),
            upstream: upstream, time: time,
            warnings: configuration.warnings(owner: owner))
        door = Door(listeners: configuration.listeners)
        self.log = log
        entrances = Entrances(configuration, owner: owner)
    }

    /// Reads the stored grant and takes up the open asks. Call once, before the first request.
    package func start() async throws(StoreError) {
        try await services.client.start()
        for warning in services.configuration.warnings(granted: await services.client.grantStatus().vaults) {
            log(
                LogEvent(
                    .warning, "the configuration has a warning under this grant",
                    [(.code, .string(warning.code.rawValue)), (.detail, .string(warning.detail))]))
        }
        try await services.asks.resume()
    }

    /// Makes cards, polls, keeps time; until the task is cancelled. Runs beside the requests.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.services.links.run() }
            await self.services.asks.run()
            group.cancelAll()
        }
    }

    /// Ends every wait, and answers whatever is asked from now on with `shutting_down`.
    package func drain() async {
        isDraining.store(true, ordering: .relaxed)
        await services.client.offerNoMoreTokens()
        await services.asks.drain()
    }

    /// The end has to come at once: nobody waits for cards that are being made. What is lost by that is logged.
    package func hurry() async {
        let cards = await services.asks.abandonCards()
        if cards > 0 {
            log(
                LogEvent(
                    .error, "ended while cards were being made: nobody will know whether they were",
                    [(.count, .integer(Int64(cards)))]))
        }
        if await services.client.isSpending {
            log(LogEvent(.warning, "a token is being refreshed, or a code exchanged: the end waits for the answer"))
        }
    }

    /// Looks after the store: writes what could not be written, and says loudly what is wrong. To be called now and then;
    /// gives `false` when it should be soon.
    package func tend() async -> Bool {
        do throws(StoreError) {
            try await services.store.check()
            return await services.asks.writeAgain()
        } catch {
            let detail = [error.detail, error.advice].compactMap(\.self).joined(separator: " ")
            log(
                LogEvent(
                    .error, "the state store cannot be written",
                    [(.reason, .string(error.reason.rawValue)), (.detail, .string(detail))]))
            return false
        }
    }

    /// Returns when no card is being made any more: a process that ended before would not know whether there is one.
    package func finishCards() async { await services.asks.untilCardsAreMade() }

    /// Returns when no token is being refreshed and no code exchanged any more, for the same reason. Every call to MimiKey
    /// has a time limit, so this ends.
    package func finishTokens() async { await services.client.finishTasks() }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let begun = services.time.now()
        let traceID = Hex.encode(Randomness.bytes(8))
        var line = AccessLine(request: request, traceID: traceID)
        let response: HTTPResponse
        do throws(Problem) {
            response = try await answer(request, &line)
        } catch {
            line.code = error.code
            response = error.response(traceID: traceID)
        }
        log(line.event(status: response.status, duration: services.time.now() - begun))
        return response
    }

    private func answer(_ request: HTTPRequest, _ line: inout AccessLine) async throws(Problem) -> HTTPResponse {
        let head = request.head
        try door.admit(head, peer: request.peer, isCallback: Routes.browserPaths.contains(head.path))
        if isDraining.load(ordering: .relaxed) { throw .shuttingDown }
        guard case .origin = head.target else {
            return Self.notAllowed([], line)
        }
        let entrance = try entrances.entrance(of: request.peer)
        switch Routes.match(head) {
        case .route(let route, let parameters):
            line.route = route.path
            let visitor = try visitor(request, entrance, for: route.audience)
            let context = RouteContext(request: request, parameters: parameters, visitor: visitor, services: services)
            if case .caller(let caller, _) = visitor { line.caller = caller.name }
            // Whoever waits at its limit may still ask whether we are ready.
            guard case .caller = route.audience, case .caller(let caller, _) = visitor else {
                return try await route.handler(context)
            }
            let seat = try seats.take(for: caller)
            return seat.held(by: try await route.handler(context))
        case .otherMethod(let allowed, let audience):
            _ = try visitor(request, entrance, for: audience)
            return Self.notAllowed(allowed, line)
        case .nothing:
            // Whoever is unknown learns nothing about which paths there are.
            _ = try visitor(request, entrance, for: nil)
            throw Self.noSuchPath
        }
    }

    /// Who is there; throws when the audience is another. `nil`: whoever may ask for a path at all.
    private func visitor(
        _ request: HTTPRequest, _ entrance: Entrances.Entrance, for audience: Audience?
    ) throws(Problem) -> Visitor {
        switch entrance {
        case .owner:
            switch audience {
            case nil, .anyone, .browser, .anyoneOrCaller, .owner: return .owner
            case .caller: throw Self.noSuchPath
            }
        case .caller(let caller, let uid):
            // The socket says who it is, whatever `Authorization` says.
            switch audience {
            case .anyone, .browser: return .unknown
            case nil, .anyoneOrCaller, .caller: return .caller(caller, uid: uid)
            case .owner: throw Self.noSuchPath
            }
        case .open:
            let fields = request.head.fields
            switch audience {
            case .anyone, .browser: return .unknown
            case .anyoneOrCaller where !fields.contains("authorization"): return .unknown
            case nil, .anyoneOrCaller, .caller: return .caller(try services.callers.caller(of: fields), uid: nil)
            case .owner:
                // On TCP there are no such paths, and only a caller may learn even that.
                _ = try services.callers.caller(of: fields)
                throw Self.noSuchPath
            }
        }
    }

    private static let noSuchPath = Problem(.notFound, "There is no such path here; see /openapi.yaml.")

    private static func notAllowed(_ methods: [HTTPMethod], _ line: AccessLine) -> HTTPResponse {
        var response = Problem(.methodNotAllowed, "This path does not have this method.").response(
            traceID: line.traceID)
        response.fields.append("allow", methods.map(\.name).joined(separator: ", "))
        return response
    }
}
