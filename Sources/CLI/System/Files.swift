import Glibc

/// What the operating system answered about a file.
struct FileError: Error, Hashable, Sendable {
    let code: Int32
    let doing: String
    let path: String

    var isAlreadyThere: Bool { code == EEXIST }

    var failure: Failure {
        Failure(.configuration, "\(doing) \(path.shownOnTerminal) failed: \(String(cString: strerror(code)))")
    }
}

/// The few things that the verbs do with files.
enum Files {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
    static func mayWrite(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// A relative path begins where we were started.
    static var workingDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Makes the directory and what is missing above it, each 0700.
    static func makeDirectory(_ path: String) throws(FileError) {
        if Glibc.mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw FileError(code: errno, doing: "making the directory", path: path)
        }
        try makeDirectory(String(path[..<slash]))
        guard Glibc.mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw FileError(code: errno, doing: "making the directory", path: path)
        }
    }

    /// Writes a new file, 0600: complete and on the disk, or not at all. A file that is there stays as it is: `EEXIST`.
    static func create(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let directory = Places.directory(of: path)
        removeLeftovers(of: path, in: directory)
        let temporary = "\(path).\(getpid()).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(code: errno, doing: "writing", path: path) }
        defer { unlink(temporary) }
        let written = write(bytes, to: descriptor)
        let problem = errno
        close(descriptor)
        guard written else { throw FileError(code: problem, doing: "writing", path: path) }
        // A hard link never replaces what is there, as a rename would.
        guard link(temporary, path) == 0 else { throw FileError(code: errno, doing: "writing", path: path) }
        unlink(temporary)
        // Its name is on the disk as well.
        let parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(parent) }
        guard parent >= 0, fsync(parent) == 0 else { throw FileError(code: errno, doing: "writing", path: path) }
    }

    /// What processes left behind that died while they wrote.
    private static func removeLeftovers(of path: String, in directory: String) {
        let prefix = (path.split(separator: "/").last.map(String.init) ?? path) + "."
        for name in names(in: directory) where name.hasPrefix(prefix) && name.hasSuffix(".new") {
            guard let process = pid_t(name.dropFirst(prefix.count).dropLast(4)), process > 0 else { continue }
            if kill(process, 0) != 0, errno == ESRCH { unlink(directory + "/" + name) }
        }
    }

    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0
    }

    /// The first `limit` bytes of a file.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(code: errno, doing: "reading", path: path) }
        defer { close(descriptor) }
        return try read(descriptor, named: path, limit: limit)
    }

    /// The first `limit` bytes of standard input.
    static func readStandardInput(limit: Int) throws(FileError) -> [UInt8] {
        try read(STDIN_FILENO, named: "standard input", limit: limit)
    }

    private static func read(
        _ descriptor: Int32, named name: String, limit: Int
    ) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), limit - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw FileError(code: errno, doing: "reading", path: name) }
            if more == 0 { break }
            count += more
        }
        return Array(bytes[..<count])
    }

    /// A new directory of our own, 0700, below `$TMPDIR` or `/tmp`.
    static func makeTemporaryDirectory() throws(FileError) -> String {
        let pattern = (Process.environment("TMPDIR") ?? "/tmp") + "/countersign-XXXXXX"
        guard let name = strdup(pattern) else {
            throw FileError(code: errno, doing: "making the directory", path: pattern)
        }
        defer { free(name) }
        guard mkdtemp(name) != nil else { throw FileError(code: errno, doing: "making the directory", path: pattern) }
        return String(cString: name)
    }

    /// Removes a directory and all that is in it, as far as that goes; links are removed, not followed.
    static func removeDirectory(_ path: String) {
        for name in names(in: path) {
            let child = path + "/" + name
            if unlink(child) != 0 { removeDirectory(child) }
        }
        rmdir(path)
    }
}
