import Core
import Glibc

/// The user that this process runs as.
enum OwnUser {
    static var id: UInt32 { geteuid() }
}

/// The directory of a Unix socket. It is made when it is missing, and refused when it does not keep the socket safe.
enum SocketDirectory {
    /// For the operator's socket: 0700 and ours, so that nobody else reaches it, whatever its mode.
    /// - Parameter isPassed: who listens for us has made it, and may be root.
    static func prepare(forOperator path: String, isPassed: Bool) throws(StartFailure) {
        let place = Place(socket: path, owner: "the operator's socket", key: "admin.unix", code: "admin_socket")
        let status = try place.make(mode: 0o700)
        guard status.st_uid == geteuid() || (isPassed && status.st_uid == 0) else {
            throw place.failure("belongs to another user", fix: place.chown)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw place.failure("can be entered by others", fix: "run `chmod 700 \(place.directory)`")
        }
    }

    /// For a caller's socket: others may have to enter, but nobody else may put a socket of theirs in the place of ours.
    static func prepare(for socket: CallerSocket) throws(StartFailure) {
        let place = Place(
            socket: socket.path, owner: "the socket of `\(socket.caller)`", key: "listen", code: "caller_socket")
        let status = try place.make(mode: socket.mode == 0o600 ? 0o700 : 0o755)
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw place.failure("belongs to another user", fix: place.chown)
        }
        // In a sticky directory, such as /tmp, others cannot replace what is ours.
        guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw place.failure("can be written by others", fix: "run `chmod go-w \(place.directory)`")
        }
    }
}

private struct Place {
    let directory: String
    /// Whose socket goes there, and where the configuration names it.
    private let owner: String
    private let key: String
    private let code: ErrorCode

    init(socket path: String, owner: String, key: String, code: String) {
        directory = Self.parent(of: path)
        self.owner = owner
        self.key = key
        self.code = ErrorCode(code)
    }

    var chown: String { "run `chown \(geteuid()) \(directory)`, or name another path in `\(key)`" }

    func failure(_ sentence: String, fix: String) -> StartFailure {
        StartFailure(code: code, detail: "\(directory), where \(owner) goes, \(sentence)", hint: fix)
    }

    /// What the directory is, once it is there. The umask does not take away what others need to enter.
    func make(mode: mode_t) throws(StartFailure) -> stat {
        if mkdir(directory, 0o700) == 0 {
            _ = chmod(directory, mode)
        } else if errno != EEXIST {
            throw failure(
                "cannot be made: \(String(cString: strerror(errno)))",
                fix: "make \(Self.parent(of: directory)) first, or name another path in `\(key)`")
        }
        var status = stat()
        guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw failure("is no directory", fix: "name another path in `\(key)`")
        }
        return status
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
