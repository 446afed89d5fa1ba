package import Core
import Glibc

/// A socket that this process was handed when it was started, by a program that listens on its behalf, and what the kernel
/// says about it. Nothing of it is trusted before it was compared with what was to be listened on.
package struct PassedSocket: Sendable {
    package enum Place: Hashable, Sendable {
        case tcp(TCPAddress)
        case unix(path: String)
    }

    /// What stands at the path of a Unix socket.
    package struct File: Hashable, Sendable {
        package let mode: UInt16
        package let owner: UInt32
        package let group: UInt32

        package init(mode: UInt16, owner: UInt32, group: UInt32) {
            self.mode = mode
            self.owner = owner
            self.group = group
        }
    }

    /// What it is called by who passed it; for display.
    package let name: String
    let descriptor: Int32
    /// `nil`: an address of another family, or a Unix socket without a path.
    package let place: Place?
    /// It is a stream socket on which `listen` was called.
    package let listens: Bool
    /// SO_REUSEPORT: other processes of its user can listen on the same address.
    package let sharesPort: Bool
    /// `nil` when no socket stands at the path.
    package let file: File?

    package init(
        name: String, descriptor: Int32, place: Place?, listens: Bool, sharesPort: Bool = false, file: File? = nil
    ) {
        self.name = name
        self.descriptor = descriptor
        self.place = place
        self.listens = listens
        self.sharesPort = sharesPort
        self.file = file
    }

    /// Takes a descriptor that was inherited, and keeps it from our own children. Throws when there is no such descriptor.
    package init(taking descriptor: Int32, name: String) throws(TransportError) {
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else {
            throw TransportError(errno: errno, doing: "taking the passed descriptor \(descriptor)")
        }
        let place = SocketAddress.bound(of: descriptor)
        self.init(
            name: name, descriptor: descriptor, place: place,
            listens: Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue)
                && Self.option(SO_ACCEPTCONN, of: descriptor) == 1,
            sharesPort: Self.option(SO_REUSEPORT, of: descriptor) == 1, file: place.flatMap { Self.file(of: $0) })
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func file(of place: Place) -> File? {
        guard case .unix(let path) = place else { return nil }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return File(mode: UInt16(status.st_mode & 0o7777), owner: status.st_uid, group: status.st_gid)
    }
}

extension ListeningSocket {
    /// A passed socket as the address that it was found to be. A Unix socket's file stays when we end: whoever passed it
    /// goes on listening.
    static func passed(_ socket: PassedSocket, as address: ListenAddress) throws(TransportError) -> ListeningSocket {
        let descriptor = Descriptor(owning: socket.descriptor)
        let flags = fcntl(descriptor.number, F_GETFL)
        guard flags >= 0, fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw TransportError(errno: errno, doing: "listening on a passed socket")
        }
        return ListeningSocket(descriptor: descriptor, address: address, file: nil)
    }
}
