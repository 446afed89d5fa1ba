import Glibc

/// Whose a socket is. Whoever can put a file in its place answers in the gateway's name, and is told what we ask for.
enum SocketOwner {
    /// The user that packages make for the gateway.
    private static let systemUser = "countersign"
    private static let systemConfiguration = "/etc/countersign/countersign.yaml"

    /// Throws when the socket, or the directory that it lies in, is somebody's who is neither this user, nor root, nor
    /// the gateway. What the environment says does not make anybody the gateway: only the system, or `named`, does.
    static func check(_ path: String, gateway named: UInt32?) throws(Failure) {
        guard let real = realPath(path), let socket = status(of: real) else { return }
        guard socket.st_mode & S_IFMT == S_IFSOCK else {
            throw Failure(.configuration, "\(path.shownOnTerminal) is no socket")
        }
        let trusted = Set(
            [geteuid(), 0, named, user(named: systemUser), status(of: systemConfiguration)?.st_uid].compactMap(\.self))
        guard trusted.contains(socket.st_uid) else {
            throw Failure(
                .configuration,
                "the socket \(path.shownOnTerminal) belongs to the user \(socket.st_uid), who is neither you, nor root, nor the gateway",
                hint: "if the gateway runs as that user, say so: `--gateway-user \(socket.st_uid)`")
        }
        guard let directory = status(of: Places.directory(of: real)) else { return }
        let others = directory.st_mode & (S_IWGRP | S_IWOTH) != 0 && directory.st_mode & S_ISVTX == 0
        guard trusted.contains(directory.st_uid), !others else {
            throw Failure(
                .configuration, "other users can put a socket of theirs in the place of \(path.shownOnTerminal)",
                hint: "its directory must belong to you, to root or to the gateway, and nobody else may write it")
        }
    }

    /// A user's number, from its name or the number itself.
    static func user(named name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.pw_uid
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
