package import Core
import Server

/// MimiKey as a server on loopback, with a scriptable person. It keeps nothing: all that it knows goes with the process.
package final class SandboxService: Sendable {
    private let address: TCPAddress
    private let server: HTTPServer

    /// Throws unless `options.listen` is a loopback literal.
    package init(_ options: SandboxOptions, time: TimeSource, log: @escaping LogSink = { _ in }) throws {
        guard options.listen.ip.isLoopback else {
            throw Problem(.invalidRequest, "The sandbox listens on a loopback address only, such as 127.0.0.1:7448.")
        }
        address = options.listen
        server = try HTTPServer(
            responder: SandboxResponder(World(options), time: time, log: log),
            problem: { error in
                var response = HTTPServer.plainProblem(error)
                response.fields.append(SandboxResponder.mark)
                return response
            }, log: log)
    }

    /// Starts to listen; gives the origin that was really bound, such as `http://127.0.0.1:7448`.
    package func start() async throws -> Origin {
        let bound = try await server.listen(.tcp(address))
        guard case .tcp(let real) = bound else { preconditionFailure("a TCP listener is bound to no TCP address") }
        return Origin(scheme: .http, host: real.ip.description, port: real.port)
    }

    /// Stops to listen; running answers get a second to end.
    package func stop() async {
        await server.shutDown(grace: .seconds(1))
    }
}
