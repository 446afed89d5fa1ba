import Core

/// The files of a store in a directory, checked and locked.
struct StoreFiles: Sendable {
    static let databaseName = "countersign.db"
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
}
