import Glibc

/// The state directory: open, ours, closed to everybody else.
struct StateDirectory: Sendable {
    /// Absolute, without symbolic links.
    let path: String
    private let descriptor: Descriptor

    /// Makes it, 0700, if it is missing, and its parents as well.
    init(_ path: String) throws(StoreError) {
        try Directories.make(path)
        let descriptor = try Directories.open(path)
        try reporting(path) { () throws(SystemError) in try descriptor.status() }.checkPrivateDirectory(path)
        guard let resolved = realpath(path, nil) else { throw SystemError.last.storeError(path) }
        defer { free(resolved) }
        self.descriptor = descriptor
        self.path = String(cString: resolved)
    }

    func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// Refuses a file that is there and is not ours alone; `false` when there is none.
    func checkFile(_ name: String) throws(StoreError) -> Bool {
        let path = path(of: name)
        guard let status = try reporting(path, { () throws(SystemError) in try FileStatus.of(name, in: descriptor) })
        else { return false }
        try status.checkPrivateFile(path)
        return true
    }

    // MARK: Looking

    /// `nil` when there is no such file.
    func identity(of name: String) throws(StoreError) -> FileIdentity? {
        try reporting(path(of: name)) { () throws(SystemError) in try FileStatus.of(name, in: descriptor)?.identity }
    }

    func size(of name: String) throws(StoreError) -> Int? {
        try reporting(path(of: name)) { () throws(SystemError) in try FileStatus.of(name, in: descriptor)?.size }
    }

    /// Bytes that can still be written here.
    func freeSpace() throws(StoreError) -> Int64 {
        var space = statvfs()
        guard fstatvfs(descriptor.number, &space) == 0 else { throw SystemError.last.storeError(path) }
        return Int64(
            clamping: UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize)).partialValue)
    }

    /// Pages that the kernel keeps of a file may be newer than the disk, once the disk has failed.
    func forgetCache(of name: String) {
        guard let file = try? Descriptor(name, in: descriptor.number, O_RDONLY) else { return }
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
    }

    // MARK: Whole files

    /// Puts a file in a place, 0600: the whole file, durable, or what was there before. `write` fills an empty file.
    func replace(_ name: String, _ write: (_ path: String) throws(StoreError) -> Void) throws(StoreError) {
        let temporary = name + ".new"
        // What a crash left behind was never in use.
        try remove(temporary)
        let file = try self.file(temporary)
        try write(path(of: temporary))
        try reporting(path(of: name)) { () throws(SystemError) in
            try file.synchronize()
            if renameat(descriptor.number, temporary, descriptor.number, name) != 0 { throw .last }
            try descriptor.synchronize()
        }
    }

    /// Nothing happens when there is no such file.
    func remove(_ name: String) throws(StoreError) {
        guard unlinkat(descriptor.number, name, 0) != 0 else { return }
        let error = SystemError.last
        if error.number != ENOENT { throw error.storeError(path(of: name)) }
    }

    // MARK: Opening

    /// Opens a file for reading and writing, and makes it, 0600 whatever the umask, when it is missing.
    func file(_ name: String) throws(StoreError) -> Descriptor {
        let path = path(of: name)
        if try !checkFile(name) {
            try reporting(path) { () throws(SystemError) in
                let made = try Descriptor(name, in: descriptor.number, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
                try made.setMode(0o600)
                try descriptor.synchronize()
            }
        }
        let opened = try reporting(path) { () throws(SystemError) in
            try Descriptor(name, in: descriptor.number, O_RDWR)
        }
        try reporting(path) { () throws(SystemError) in try opened.status() }.checkPrivateFile(path)
        return opened
    }
}

enum Directories {
    /// Makes a directory and its parents, 0700; one that is there stays as it is.
    static func make(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 {
            // The umask may have taken even our own bits.
            if chmod(path, 0o700) != 0 { throw SystemError.last.storeError(path) }
            // Its name has to survive a power cut as well.
            let parent = try open(parent(of: path) ?? ".")
            try reporting(path) { () throws(SystemError) in try parent.synchronize() }
            return
        }
        let error = SystemError.last
        switch error.number {
        case EEXIST: return
        case ENOENT:
            guard let parent = parent(of: path), parent != path else { throw error.storeError(path) }
            try make(parent)
            try make(path)
        case EACCES, EPERM:
            throw StoreError(
                .permissions, "\(path) cannot be made: \(error.text).",
                fix: "install -d -m 700 -o \(geteuid()) \(Shell.quoted(path))")
        default: throw error.storeError(path)
        }
    }

    static func open(_ path: String) throws(StoreError) -> Descriptor {
        try reporting(path) { () throws(SystemError) in
            try Descriptor(path, O_RDONLY | O_DIRECTORY, followsLink: true)
        }
    }

    /// What stands before the last name; `nil` for a name alone and for `/`.
    static func parent(of path: String) -> String? {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return nil }
        return slash == trimmed.startIndex ? (trimmed.count > 1 ? "/" : nil) : String(trimmed[..<slash])
    }
}

/// Tells a refusal of the kernel as the store's, with the path that it is about.
func reporting<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
) throws(StoreError) -> Result {
    do throws(SystemError) { return try body() } catch { throw error.storeError(path) }
}
