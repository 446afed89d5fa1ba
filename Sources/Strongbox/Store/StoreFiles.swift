import Core

/// The files of a store in a directory, checked and locked.
struct StoreFiles: Sendable {
    static let databaseName = "countersign.db"
    static let logName = databaseName + "-wal"
    /// SQLite makes these beside the database, with its mode.
    static let companions = ["-wal", "-shm", "-journal"].map { databaseName + $0 }

    private let directory: StateDirectory
    private let lock: ProcessLock

    /// The database is only looked at.
    init(_ path: String) throws(StoreError) {
        directory = try StateDirectory(path)
        lock = try ProcessLock(directory)
        for name in Self.companions { _ = try directory.checkFile(name) }
        hasDatabase = try directory.checkFile(Self.databaseName)
    }

    let hasDatabase: Bool
    var databasePath: String { directory.path(of: Self.databaseName) }

    /// Makes the database, empty, if there is none.
    func prepareDatabase() throws(StoreError) { _ = try directory.file(Self.databaseName) }

    /// Which file the database lies in.
    func databaseFile() throws(StoreError) -> StoreOrigin.File {
        guard let identity = try directory.identity(of: Self.databaseName) else {
            throw StoreError(.unavailable, "\(databasePath) was deleted a moment ago.")
        }
        return StoreOrigin.File(inode: Int64(bitPattern: identity.inode), birth: FileBirth.of(databasePath))
    }

    /// Which files a connection works with.
    func identities() throws(StoreError) -> [FileIdentity?] {
        var found: [FileIdentity?] = []
        for name in [Self.databaseName, Self.logName, Self.databaseName + "-shm"] {
            found.append(try directory.identity(of: name))
        }
        return found
    }

    /// Throws when there is not enough room to begin something new.
    func checkRoom(_ limits: StoreLimits) throws(StoreError) {
        guard try directory.freeSpace() >= limits.freeSpace else {
            throw StoreError(
                .unavailable, "\(directory.path) has less than \(limits.freeSpace >> 20) MiB of free space.",
                advice: "make room; nothing new is begun until there is")
        }
    }

    func logSize() throws(StoreError) -> Int64 { Int64(try directory.size(of: Self.logName) ?? 0) }

    /// What is read from now on comes from the disk.
    func forgetCache() {
        for name in [Self.databaseName, Self.logName] { directory.forgetCache(of: name) }
    }

    // MARK: Copies

    private static func copyName(_ version: Int64) -> String { "\(databaseName).v\(version)" }

    /// Keeps a copy of the database as it is before a migration: complete and durable, or none.
    func keepCopy(of version: Int64, _ write: (_ path: String) throws(StoreError) -> Void) throws(StoreError) {
        try directory.replace(Self.copyName(version), write)
    }

    /// A copy holds the keys and tokens, sealed: it goes with them.
    func removeCopies(before version: Int64) throws(StoreError) {
        for old in 1..<max(version, 1) { try directory.remove(Self.copyName(old)) }
    }
}
