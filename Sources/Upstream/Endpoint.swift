package import Core
import Transport

/// Where a client dials.
package enum Endpoint: Hashable, Sendable {
    /// An `https` origin, or an `http` one that is a loopback literal.
    case origin(Origin)
    /// A Unix socket, by its path. `Host` is `localhost`.
    case unix(path: String)
}

/// An endpoint that was found good: where to connect, and what to call it.
struct Route: Sendable {
    enum Way: Hashable, Sendable {
        /// Bytes as they are.
        case plain(DialAddress)
        /// TLS, to a host by its name or its address.
        case secured(TLSName, port: UInt16)
    }

    let way: Way
    /// The value of `Host`.
    let authority: String

    init(_ endpoint: Endpoint) throws(UpstreamClient.Refused) {
        switch endpoint {
        case .unix(let path):
            way = .plain(.unix(path: path))
            authority = "localhost"
        case .origin(let origin):
            authority = origin.authority
            switch origin.scheme {
            case .https: way = .secured(TLSName(host: origin.host), port: origin.port)
            case .http:
                // A name could be resolved to anywhere, and the bearer tokens would go there in clear.
                guard let ip = IPAddress(origin.host), ip.isLoopback else {
                    throw UpstreamClient.Refused(
                        reason: "an http origin must be a loopback address such as 127.0.0.1 or [::1]")
                }
                way = .plain(.tcp(TCPAddress(ip: ip, port: origin.port)))
            }
        }
    }
}
