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
