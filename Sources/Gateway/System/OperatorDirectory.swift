import Core
import Glibc

/// The user that this process runs as.
enum OwnUser {
    static var id: UInt32 { geteuid() }
}

/// The directory of the operator's socket: 0700 and ours, so that nobody else reaches the socket, whatever its mode.
enum OperatorDirectory {
    /// Makes it when it is missing, and refuses one that others can enter.
    static func prepare(forSocket path: String) throws(StartFailure) {
        let directory = parent(of: path)
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw StartFailure(
                code: ErrorCode("admin_socket"),
                detail: "the directory \(directory) of the operator's socket cannot be made: \(text(errno))",
                hint: "make \(parent(of: directory)) first, or name another path in `admin.unix`")
        }
        var status = stat()
        guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StartFailure(
                code: ErrorCode("admin_socket"),
                detail: "\(directory), where the operator's socket goes, is no directory",
                hint: "name another path in `admin.unix`")
        }
        guard status.st_uid == geteuid() else {
            throw StartFailure(
                code: ErrorCode("admin_socket"),
                detail: "\(directory), where the operator's socket goes, belongs to another user",
                hint: "run `chown \(geteuid()) \(directory)`, or name another path in `admin.unix`")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StartFailure(
                code: ErrorCode("admin_socket"),
                detail: "others can enter \(directory), where the operator's socket goes",
                hint: "run `chmod 700 \(directory)`")
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
