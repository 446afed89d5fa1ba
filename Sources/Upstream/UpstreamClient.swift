package import Core
package import Transport

/// Where a client dials.
package enum Endpoint: Hashable, Sendable {
    /// An `http` origin must be a loopback literal; `https` comes with TLS.
    case origin(Origin)
    /// A Unix socket, by its path. `Host` is `localhost`.
    case unix(path: String)
}

/// A pooled HTTP/1.1 client for one endpoint.
///
/// A request whose bytes may have left is never sent again, unless it says that it may be repeated.
package final class UpstreamClient: Sendable {
    /// Why an endpoint is refused before anything is dialled.
    package struct Refused: Error, Hashable, Sendable {
        package let reason: String
    }

    /// - Parameters:
    ///   - connections: the most connections at once; further requests wait for one, at most `ExchangeLimits.connect`.
    ///   - idle: how long an unused connection is kept.
    package init(
        _ endpoint: Endpoint, on loop: EventLoop, connections: Int = 32, idle: Duration = .seconds(30)
    ) throws(Refused) { fatalError() }

    /// With a loop of its own, for a program that has none.
    package convenience init(_ endpoint: Endpoint) throws { fatalError() }

    package func send(_ request: OutboundRequest) async throws(SendFailure) -> InboundResponse { fatalError() }

    /// Closes idle connections now and the others as their exchanges end.
    package func close() async { fatalError() }
}
