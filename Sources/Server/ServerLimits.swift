package import Core
package import Transport

/// The time and size limits of a server (`docs/limits.md`).
package struct ServerLimits: Hashable, Sendable {
    /// From accept to the first byte of a request.
    package var firstByte: Duration = .seconds(30)
    /// From the first byte of a head to its last.
    package var head: Duration = .seconds(10)
    /// From the moment the body is asked for to its last byte.
    package var body: Duration = .seconds(30)
    /// Between two requests of a connection.
    package var idle: Duration = .seconds(75)
    /// An answer must be taken by the peer in this time, once it is written; for a streamed body, each piece.
    package var write: Duration = .seconds(30)
    /// How slowly a body may come from its first byte on, and an answer be taken that does not fit the kernel's buffer:
    /// 256 bytes a second.
    package var pace = Pace(bytes: 5 * 256, in: .seconds(5))
    package var requestsPerConnection: Int = 1000
    /// Of all listeners and loops together.
    package var connections: Int = 512
    /// Of one user at the Unix sockets of callers.
    package var connectionsPerUser: Int = 64
    /// Connections beyond `connections` for the sockets that have a reserve: who fills the others does not lock the
    /// operator out.
    package var reserved: Int = 8
    /// Connections beyond all others that are read for one request, of which few are answered (`HTTPServer`).
    package var porch: Int = 64
    /// There, from accept to the last byte of the head.
    package var porchHead: Duration = .seconds(2)
    package var codec: HTTP1Limits = .standard
    /// Bytes of an unread body that are thrown away, if they have come already, to keep the connection.
    package var discardedBody: Int = 64 * 1024
    /// After a last answer, how long we go on reading, so that the peer gets the answer and not a reset.
    package var linger: Duration = .seconds(2)
    /// Bytes that are read and thrown away in that time.
    package var lingerBytes: Int = 8 << 20

    package init() {}

    /// Descriptors that the connections may take at one time: those that were told to make room are closed a little later.
    package var descriptors: Int { 2 * connections + reserved + porch }

    /// How many connections there may be in all, for a new one of that party to have a place without another's going.
    func connections(for party: ConnectionRoster.Party) -> Int {
        switch party {
        case .anyone, .user: connections
        case .operators: connections + reserved
        }
    }

    /// How many of them may be that party's.
    func connections(of party: ConnectionRoster.Party) -> Int {
        switch party {
        case .anyone: .max
        case .user, .operators: connectionsPerUser
        }
    }
}
