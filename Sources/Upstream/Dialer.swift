import Core
import Transport

/// Makes the connections to one endpoint. Nothing of a request has left before it gives one.
enum Dialer: Sendable {
    case plain(DialAddress, on: EventLoop)
    case secured(SecureDialer)

    /// How long it may take.
    struct Deadlines {
        /// To the connection, with the look-up of the name.
        let connected: Instant
        /// From there to the end of the handshake.
        let handshake: Duration
        /// For everything.
        let end: Instant
    }

    init(_ route: Route, on loop: EventLoop, trusting trust: TLSTrust, resolving lookUp: @escaping LookUp) {
        self =
            switch route.way {
            case .plain(let address): .plain(address, on: loop)
            case .secured(let name, let port):
                .secured(SecureDialer(name, port: port, on: loop, trusting: trust, resolving: lookUp))
            }
    }

    func dial(by deadlines: Deadlines) async throws(SendFailure) -> any Connection {
        switch self {
        case .secured(let dialer): return try await dialer.dial(by: deadlines)
        case .plain(let address, let loop):
            do throws(StreamError) {
                return try await ByteStream.dial(address, on: loop, by: deadlines.connected)
            } catch { throw SendFailure(error) }
        }
    }
}

extension SendFailure {
    /// There is no connection.
    init(_ error: StreamError) {
        self.init(error == .cancelled ? .cancelled : .connectFailed, bytesMayHaveLeft: false)
    }
}
