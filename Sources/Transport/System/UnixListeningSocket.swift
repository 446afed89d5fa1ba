import Core
import Glibc

/// The file of a Unix socket that we have bound.
struct UnixSocketFile: Sendable {
    let path: String
    /// Which file is ours: another process may have put its own at the path since.
    private let device: UInt
    private let inode: UInt

    /// `nil` when there is no file.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }

    /// Removes the file if it is still the one that was bound.
    func remove() {
        guard let found = UnixSocketFile(path: path), found.device == device, found.inode == inode else { return }
        unlink(path)
    }
}

extension ListeningSocket {
    /// Binds and listens, replacing the socket of a process that is gone. Nobody can connect before the file has its
    /// group and mode: until `listen`, the kernel refuses everybody, and the mode is 0600.
    ///
    /// `EADDRINUSE` when a living process listens there, `EEXIST` when something else than a socket is there (it is left
    /// alone). Meanwhile the directory is locked, so that two who start at once cannot both take a stale socket away.
    static func unix(_ address: UnixAddress) throws(TransportError) -> ListeningSocket {
        let path = address.path
        let doing = "listening on \(path)"
        let descriptor = try Descriptor.streamSocket(family: AF_UNIX, doing: doing)
        let lock = try lockDirectory(of: path, doing: doing)
        defer { flock(lock.number, LOCK_UN) }

        // Linux gives the file the mode of the socket, less the umask: at no time is it wider.
        guard fchmod(descriptor.number, 0o600) == 0 else { throw TransportError(errno: errno, doing: doing) }
        var failure = bindSocket(descriptor, path)
        if failure == EADDRINUSE {
            try removeStale(path, doing: doing)
            failure = bindSocket(descriptor, path)
        }
        guard failure == 0 else { throw TransportError(errno: failure, doing: doing) }
        do throws(TransportError) {
            try grant(address)
            guard listen(descriptor.number, backlog) == 0, let file = UnixSocketFile(path: path) else {
                throw TransportError(errno: errno, doing: doing)
            }
            return ListeningSocket(descriptor: descriptor, address: .unix(address), file: file)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// The group first: with the mode it would let in whoever is of the group that the file came with.
    private static func grant(_ address: UnixAddress) throws(TransportError) {
        if let group = address.group, lchown(address.path, uid_t.max, group) != 0 {
            throw TransportError(errno: errno, doing: "giving \(address.path) to the group \(group)")
        }
        // Not by the umask, which may have taken bits away that were asked for.
        guard chmod(address.path, mode_t(address.mode)) == 0 else {
            throw TransportError(errno: errno, doing: "setting the mode of \(address.path)")
        }
    }

    private static func bindSocket(_ descriptor: borrowing Descriptor, _ path: String) -> Int32 {
        let number = descriptor.number
        let result = SocketAddress.lend(path: path) { bind(number, $0, $1) == 0 ? 0 : errno }
        return result ?? ENAMETOOLONG
    }

    private static func lockDirectory(of path: String, doing: String) throws(TransportError) -> Descriptor {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw TransportError(errno: errno, doing: doing) }
        let lock = Descriptor(owning: number)
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
            throw TransportError(errno: errno == EWOULDBLOCK ? EADDRINUSE : errno, doing: doing)
        }
        return lock
    }

    private static func removeStale(_ path: String, doing: String) throws(TransportError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw TransportError(errno: errno, doing: doing) }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw TransportError(errno: EEXIST, doing: doing) }
        let probe = try Descriptor.streamSocket(family: AF_UNIX, doing: doing)
        let number = probe.number
        let answer = SocketAddress.lend(path: path) { connect(number, $0, $1) == 0 ? 0 : errno } ?? ENAMETOOLONG
        // Only a refusal tells that nobody listens; anything else may be a busy or foreign listener.
        guard answer == ECONNREFUSED else { throw TransportError(errno: EADDRINUSE, doing: doing) }
        guard unlink(path) == 0 else { throw TransportError(errno: errno, doing: doing) }
    }
}
