package import Core
import Transport

/// Where a client dials.
package enum Endpoint: Hashable, Sendable {
    /// An `http` origin must be a loopback literal; `https` comes with TLS.
    case origin(Origin)
    /// A Unix socket, by its path. `Host` is `localhost`.
    case unix(path: String)
}

/// An endpoint that was found good: where to connect, and what to call it.
struct Route: Sendable {
    let address: DialAddress
    /// The value of `Host`.
    let authority: String

    init(_ endpoint: Endpoint) throws(UpstreamClient.Refused) {
        switch endpoint {
        case .unix(let path):
            address = .unix(path: path)
            authority = "localhost"
        case .origin(let origin):
            switch origin.scheme {
            case .https: throw UpstreamClient.Refused(reason: "an https origin needs TLS, which is not available yet")
            case .http: break
            }
            // A name could be resolved to anywhere, and the bearer tokens would go there in clear.
            guard let ip = IPAddress(origin.host), ip.isLoopback else {
                throw UpstreamClient.Refused(
                    reason: "an http origin must be a loopback address such as 127.0.0.1 or [::1]")
            }
            address = .tcp(TCPAddress(ip: ip, port: origin.port))
            authority = origin.authority
        }
    }
}
