package import Core
package import Transport

/// The time and size limits of a server (`docs/limits.md`).
package struct ServerLimits: Hashable, Sendable {
    /// From accept to the first byte of a request.
    package var firstByte: Duration = .seconds(30)
    /// From the first byte of a head to its last.
    package var head: Duration = .seconds(10)
    package var body: Duration = .seconds(30)
    /// Between two requests of a connection.
    package var idle: Duration = .seconds(75)
    /// An answer must be taken by the peer in this time, once it is written.
    package var write: Duration = .seconds(30)
    package var requestsPerConnection: Int = 1000
    package var connections: Int = 512
    package var codec: HTTP1Limits = .standard

    package init() {}
}

/// Listens, reads requests, hands them to a responder and writes its answers: HTTP/1.1 and 1.0 over TCP and Unix sockets.
package final class HTTPServer: Sendable {
    /// `problem` makes the answer to what is no request, or comes too late; it gets the status, code and sentence.
    package init(
        loop: EventLoop, limits: ServerLimits = ServerLimits(), responder: any Responder,
        problem: @escaping @Sendable (HTTP1DecodeError) -> HTTPResponse = HTTPServer.plainProblem,
        log: @escaping LogSink = { _ in }
    ) { fatalError() }

    /// With a loop of its own, for a program that has none. Throws when the loop cannot be had.
    package convenience init(
        limits: ServerLimits = ServerLimits(), responder: any Responder, log: @escaping LogSink = { _ in }
    ) throws { fatalError() }

    /// `{"error":…,"detail":…}` with the decoder's status.
    package static let plainProblem: @Sendable (HTTP1DecodeError) -> HTTPResponse = { _ in fatalError() }

    /// Binds and starts to accept; gives the address that was really bound (port 0 becomes a real one).
    /// A Unix socket is created with its mode from the start; a stale one of a dead process is replaced.
    package func listen(_ address: ListenAddress) async throws(TransportError) -> ListenAddress { fatalError() }

    /// Stops accepting, closes idle connections at once, lets running answers end for at most `grace`, then closes all.
    package func shutDown(grace: Duration) async { fatalError() }
}
