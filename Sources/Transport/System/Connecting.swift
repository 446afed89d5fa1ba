import Core
import Glibc

/// What came of an attempt to connect.
enum Connecting {
    case connected
    /// Under way: the socket becomes writable when it is decided.
    case underWay
    /// A Unix listener's queue is full; worth another attempt.
    case busy
    case failed(TransportError)
}

extension Descriptor {
    static func forConnecting(to address: DialAddress) throws(TransportError) -> Descriptor {
        switch address {
        case .tcp(let tcp):
            let descriptor = try streamSocket(family: SocketAddress.family(of: tcp), doing: address.doing)
            descriptor.disableDelay()
            return descriptor
        case .unix: return try streamSocket(family: AF_UNIX, doing: address.doing)
        }
    }

    func connect(to address: DialAddress) -> Connecting {
        let number = number
        let attempt = { (raw: UnsafePointer<sockaddr>, size: socklen_t) -> Int32 in
            Glibc.connect(number, raw, size) == 0 ? 0 : errno
        }
        let failure: Int32
        switch address {
        case .tcp(let tcp): failure = SocketAddress.lend(tcp, to: attempt)
        case .unix(let path): failure = SocketAddress.lend(path: path, to: attempt) ?? ENAMETOOLONG
        }
        switch failure {
        case 0: return .connected
        case EINPROGRESS, EINTR: return .underWay
        case EAGAIN: return .busy
        default: return .failed(TransportError(errno: failure, doing: address.doing))
        }
    }
}
