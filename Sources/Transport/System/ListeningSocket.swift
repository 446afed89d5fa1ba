import Core
import Glibc

/// A socket that is bound and listens.
struct ListeningSocket: ~Copyable {
    var descriptor: Descriptor
    /// With the port that was really bound.
    let address: ListenAddress
    /// A Unix socket's file.
    let file: UnixSocketFile?

    /// Connections that the kernel holds until we accept them (it caps this at `net.core.somaxconn`).
    static let backlog: Int32 = 1024

    /// SO_REUSEADDR, so that a restart is not kept off by old connections; never SO_REUSEPORT, with which another process
    /// of this user could join and receive tokens.
    static func tcp(_ address: TCPAddress) throws(TransportError) -> ListeningSocket {
        let doing = "listening on \(address)"
        let family = SocketAddress.family(of: address)
        let descriptor = try Descriptor.streamSocket(family: family, doing: doing)
        descriptor.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
        if family == AF_INET6 { descriptor.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        descriptor.boundSending()
        if address.ip.isLoopback { descriptor.keepOnHost(family) }
        guard SocketAddress.lend(address, to: { bind(descriptor.number, $0, $1) }) == 0 else {
            throw TransportError(errno: errno, doing: doing)
        }
        guard listen(descriptor.number, backlog) == 0,
            case .tcp(let bound)? = SocketAddress.bound(of: descriptor.number)
        else { throw TransportError(errno: errno, doing: doing) }
        return ListeningSocket(descriptor: descriptor, address: .tcp(bound), file: nil)
    }
}

/// What came of an attempt to accept.
enum Accepted: ~Copyable {
    case connection(Descriptor)
    case none
    /// That one connection is gone again; others may wait.
    case skipped
    /// The machine or this process is out of descriptors or memory: trying at once would spin.
    case exhausted(TransportError)
}

extension Descriptor {
    /// What the kernel keeps of answers that the peer does not take is bounded, in bytes; accepted sockets inherit it. The
    /// kernel counts its own overhead too, for which it doubles the figure that is asked for.
    fileprivate func boundSending() { setOption(SOL_SOCKET, SO_SNDBUF, 128 << 10) }

    /// No packet passes a router: the first one would drop it. Accepted sockets inherit it.
    fileprivate func keepOnHost(_ family: Int32) {
        if family == AF_INET6 {
            setOption(Int32(IPPROTO_IPV6), IPV6_UNICAST_HOPS, 1)
        } else {
            setOption(Int32(IPPROTO_IP), IP_TTL, 1)
        }
    }

    /// Takes one connection from a listening socket.
    func accept() -> Accepted {
        let number = GNUCalls.accept(number, flags: Descriptor.flagsOfNewSockets)
        if number >= 0 { return .connection(Descriptor(owning: number)) }
        switch errno {
        case EAGAIN: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            return .exhausted(TransportError(errno: errno, doing: "accepting a connection"))
        case EBADF, EINVAL, ENOTSOCK: return .none
        default: return .skipped
        }
    }

    /// Who is at the other end of a Unix socket, as the kernel saw it when the connection was made.
    func peerCredentials() -> PeerCredentials? {
        // `struct ucred` of the kernel.
        var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return PeerCredentials(uid: credentials.uid, pid: credentials.pid)
    }
}
