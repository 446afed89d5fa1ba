import Glibc

/// The configuration file, or one that it names, opened once: what is checked is what is read.
struct ConfigurationFile {
    let bytes: [UInt8]

    enum Access {
        /// Others may read it.
        case open
        /// Nobody else may.
        case secret
    }

    /// Refuses a file that is not ours or root's, or that somebody else may write, also by way of its directory. Of a
    /// longer file one byte more than `limit` is read.
    /// - Parameter hint: what to do when there is no such file.
    init(path: String, limit: Int, access: Access = .open, whenMissing hint: String?) throws(ConfigurationProblem) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.problem(errno, hint: errno == ENOENT ? hint : nil) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.problem(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ConfigurationProblem(at: nil, "this is no regular file") }
        try Self.check(status, of: path, named: "the file", mountedReadOnly: Self.isReadOnly(path))
        if case .secret = access, status.st_mode & 0o077 != 0 {
            throw ConfigurationProblem(at: nil, "others may use the file", hint: "run `chmod 600 \(path)`")
        }
        let directory = Self.directory(of: path)
        var directoryStatus = stat()
        guard stat(directory, &directoryStatus) == 0 else { throw Self.problem(errno) }
        try Self.check(
            directoryStatus, of: directory, named: "its directory", mountedReadOnly: Self.isReadOnly(directory))
        bytes = try Self.contents(descriptor, limit: limit)
    }

    private static func check(
        _ status: stat, of path: String, named name: String, mountedReadOnly: Bool
    ) throws(ConfigurationProblem) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw ConfigurationProblem(
                at: nil, "\(name) belongs to another user", hint: "run `chown \(geteuid()) \(path)`")
        }
        // In a sticky directory, such as /tmp, others cannot replace what is ours.
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        guard status.st_mode & 0o022 == 0 || isSticky || mountedReadOnly else {
            throw ConfigurationProblem(at: nil, "others may write \(name)", hint: "run `chmod go-w \(path)`")
        }
    }

    private static func isReadOnly(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// One byte more than `limit` at most, so that the reader sees that the file is too large.
    private static func contents(_ descriptor: Int32, limit: Int) throws(ConfigurationProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= limit {
            let count = read(descriptor, &piece, min(piece.count, limit + 1 - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ConfigurationProblem(at: nil, "the file cannot be read: \(text(errno))") }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    private static func problem(_ code: Int32, hint: String? = nil) -> ConfigurationProblem {
        ConfigurationProblem(at: nil, "cannot be opened: \(text(code))", hint: hint)
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
