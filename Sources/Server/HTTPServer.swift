package import Core
package import Transport

/// Listens, reads requests, hands them to a responder and writes its answers: HTTP/1.1 and 1.0 over TCP and Unix sockets.
package final class HTTPServer: Sendable {
    private let doors: ServerDoors
    /// Ended with the server, when it was made for it.
    private let ownLoop: EventLoop?

    /// The first loop listens and accepts; each connection lives on one of them, the one with the fewest.
    /// - Parameters:
    ///   - problem: makes the answer to what is no request, or comes too late; it gets the status, code and sentence.
    ///   - answersWhenFull: whether a request is answered even when all connections are in use.
    package init(
        loops: [EventLoop], limits: ServerLimits = ServerLimits(), responder: any Responder,
        problem: @escaping @Sendable (HTTP1DecodeError) -> HTTPResponse = HTTPServer.plainProblem,
        answersWhenFull: @escaping @Sendable (RequestHead) -> Bool = { _ in false },
        log: @escaping LogSink = { _ in }
    ) {
        let service = Service(
            limits: limits, responder: responder, problem: problem, answersWhenFull: answersWhenFull, log: log,
            time: loops[0].time)
        doors = ServerDoors(service, on: loops)
        ownLoop = nil
    }

    /// With a loop of its own, for a program that has none. Throws when the loop cannot be had.
    package init(
        limits: ServerLimits = ServerLimits(), responder: any Responder,
        problem: @escaping @Sendable (HTTP1DecodeError) -> HTTPResponse = HTTPServer.plainProblem,
        log: @escaping LogSink = { _ in }
    ) throws {
        let loop = try EventLoop(name: "server")
        let service = Service(
            limits: limits, responder: responder, problem: problem, answersWhenFull: { _ in false }, log: log,
            time: loop.time)
        doors = ServerDoors(service, on: [loop])
        ownLoop = loop
    }

    /// Binds and starts to accept; gives the address that was really bound (port 0 becomes a real one).
    /// A Unix socket is created with its mode from the start; a stale one of a dead process is replaced.
    /// - Parameter passed: a socket that listens at that address already.
    package func listen(
        _ address: ListenAddress, passed: PassedSocket? = nil
    ) async throws(TransportError) -> ListenAddress {
        try await doors.listen(address, passed: passed)
    }

    /// Stops accepting, closes idle connections at once, lets running answers end for at most `grace`, then closes all.
    /// Called again meanwhile, it closes all at once.
    package func shutDown(grace: Duration) async {
        await doors.shutDown(grace: grace)
        await ownLoop?.stop()
    }
}

/// What every connection of a server needs to know.
struct Service: Sendable {
    let limits: ServerLimits
    let responder: any Responder
    let problem: @Sendable (HTTP1DecodeError) -> HTTPResponse
    let answersWhenFull: @Sendable (RequestHead) -> Bool
    let log: LogSink
    let time: TimeSource
}
