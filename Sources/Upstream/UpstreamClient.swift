package import Core
package import Transport

/// A pooled HTTP/1.1 client for one endpoint. It follows no redirect and knows no proxy, whatever the environment says.
///
/// A request whose bytes may have left is never sent again, unless it says that it may be repeated.
package final class UpstreamClient: Sendable {
    private let route: Route
    private let loop: EventLoop
    private let pool: ConnectionPool
    /// Ended with the client, when it was made for it.
    private let ownsLoop: Bool

    /// Why an endpoint is refused before anything is dialled.
    package struct Refused: Error, Hashable, Sendable {
        package let reason: String
    }

    /// - Parameters:
    ///   - trust: whom an `https` service is believed by; clients may share one.
    ///   - connections: the most connections at once; further requests wait for one, at most `ExchangeLimits.connect`.
    ///   - idle: how long an unused connection is kept.
    package init(
        _ endpoint: Endpoint, on loop: EventLoop, trusting trust: TLSTrust = TLSTrust(),
        resolving lookUp: @escaping LookUp = { HostLookup.addresses(of: $0) }, connections: Int = 32,
        idle: Duration = .seconds(30)
    ) throws(Refused) {
        route = try Route(endpoint)
        self.loop = loop
        let dialer = Dialer(route, on: loop, trusting: trust, resolving: lookUp)
        pool = ConnectionPool(dialer, on: loop, connections: connections, idle: idle)
        ownsLoop = false
    }

    /// With a loop of its own, for a program that has none.
    package init(_ endpoint: Endpoint) throws {
        route = try Route(endpoint)
        loop = try EventLoop(name: "upstream")
        let dialer = Dialer(route, on: loop, trusting: TLSTrust()) { HostLookup.addresses(of: $0) }
        pool = ConnectionPool(dialer, on: loop, connections: 32, idle: .seconds(30))
        ownsLoop = true
    }

    /// Sends the request and gives the complete answer. Cancelling the task ends the exchange and its connection.
    package func send(_ request: OutboundRequest) async throws(SendFailure) -> InboundResponse {
        try await withTaskExecutorPreference(loop) { () async throws(SendFailure) -> InboundResponse in
            try await self.perform(request)
        }
    }

    /// Closes idle connections now and the others as their exchanges end.
    package func close() async {
        await pool.close()
        if ownsLoop {
            await pool.untilUnused()
            await loop.stop()
        }
    }

    private func perform(_ request: OutboundRequest) async throws(SendFailure) -> InboundResponse {
        if Task.isCancelled { throw SendFailure(.cancelled, bytesMayHaveLeft: false) }
        let now = loop.time.now
        let end = now() + request.limits.total
        guard let exchange = ClientExchange(request, authority: route.authority, now: now, end: end) else {
            throw SendFailure(.malformed, bytesMayHaveLeft: false)
        }
        var isReplay = false
        while true {
            let deadlines = Dialer.Deadlines(
                connected: min(now() + request.limits.connect, end), handshake: request.limits.tls, end: end)
            let want: ConnectionPool.Want =
                isReplay ? .newAfterLoss : request.wantsNewConnection ? .new : .any
            let lease = try await pool.take(want, by: deadlines)
            do throws(ClientExchange.Failure) {
                let answer = try await exchange.run(on: lease.stream)
                await pool.giveBack(lease, reusable: answer.isReusable)
                return answer.response
            } catch {
                await pool.giveBack(lease, reusable: false)
                guard !isReplay, lease.isReused, error.mayBeSentAgain(request) else {
                    throw SendFailure(error.reason, bytesMayHaveLeft: error.bytesLeft)
                }
                isReplay = true
            }
        }
    }
}
