package import Core

/// Where a connection is made to.
package enum DialAddress: Hashable, Sendable {
    case tcp(TCPAddress)
    /// A Unix socket, by its path.
    case unix(path: String)

    var doing: String {
        switch self {
        case .tcp(let address): "connecting to \(address)"
        case .unix(let path): "connecting to \(path)"
        }
    }
}
