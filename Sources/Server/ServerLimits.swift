package import Core

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
    package var requestsPerConnection: Int = 1000
    package var connections: Int = 512
    /// Connections beyond `connections` for the sockets that have a reserve: who fills the others does not lock the
    /// operator out.
    package var reserved: Int = 8
    package var codec: HTTP1Limits = .standard
    /// Bytes of an unread body that are thrown away, if they have come already, to keep the connection.
    package var discardedBody: Int = 64 * 1024
    /// After a last answer, how long we go on reading, so that the peer gets the answer and not a reset.
    package var linger: Duration = .seconds(2)
    /// Bytes that are read and thrown away in that time.
    package var lingerBytes: Int = 8 << 20
    /// Connections above `connections` that are told so at one time; more are closed without a word.
    package var refusals: Int = 64

    package init() {}

    func connections(for door: ListenAddress) -> Int {
        switch door {
        case .tcp: connections
        case .unix(let unix): unix.hasReserve ? connections + reserved : connections
        }
    }
}
