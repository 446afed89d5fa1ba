package import Core

/// The encrypted store: one SQLite database, one writer, one process.
///
/// Every method that writes returns when the change is durable (`synchronous=FULL`). It runs on a thread of its own.
package actor Store {
    private enum Database {
        case open(SQLiteConnection)
        /// An input or output error: what of it is on the disk is not known, so that it is opened anew.
        case lost
        case closed
    }

    private let executor: DedicatedThread
    private let seal: ColumnSeal
    private let name: String
    private var database: Database
    private var files: StoreFiles?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens, checks owner and modes, takes the process lock, migrates. It blocks meanwhile.
    /// - Parameter keyFile: the path of the 32-byte master key; created 0600 only when the store holds no sealed row.
    ///   Unused with `.memory`, which makes a key of its own.
    package init(_ location: StoreLocation, keyFile: String?) throws(StoreError) {
        executor = try DedicatedThread()
        let opened: StoreOpening.Opened
        switch location {
        case .memory: opened = try StoreOpening.inMemory()
        case .directory(let path):
            guard let keyFile else { preconditionFailure("a store in a directory has a key file") }
            opened = try StoreOpening.inDirectory(path, keyFile: keyFile)
        }
        database = .open(opened.connection)
        name = opened.name
        files = opened.files
        seal = opened.takeSeal()
        // A value that was changed or swapped is found now, not at the first call.
        if case .open(let connection) = database {
            _ = try reporting(name) { () throws(SQLiteError) in try GrantRecords.load(from: connection, seal) }
        }
    }

    // MARK: The grant

    package func loadGrant() throws(StoreError) -> StoredGrant? {
        try reading { connection throws(SQLiteError) in try GrantRecords.load(from: connection, seal) }
    }

    /// Replaces what is there, in one transaction.
    package func save(_ grant: StoredGrant) throws(StoreError) {
        try writing { connection throws(SQLiteError) in try GrantRecords.save(grant, in: connection, seal) }
        emptyLog()
    }

    /// Durable before the first byte of a refresh goes out. Throws when there is no grant to refresh.
    package func markRefreshStarted() throws(StoreError) {
        guard try save(.started) else { throw noGrant }
    }

    /// The server certainly did not rotate.
    package func clearRefreshMark() throws(StoreError) { _ = try save(.idle) }

    package func markRefreshUnknown() throws(StoreError) { _ = try save(.unknown) }

    /// The new pair; durable before it is used. Clears the mark. `vaults`: as `save`, when the answer had them.
    /// Throws when the grant was wiped meanwhile: these tokens are not to be used.
    package func saveRefreshed(_ tokens: borrowing Tokens, vaults: [Vault]?) throws(StoreError) {
        let isSaved = try writing { connection throws(SQLiteError) in
            try GrantRecords.saveRefreshed(tokens, vaults: vaults, in: connection, seal)
        }
        guard isSaved else { throw noGrant }
    }

    /// Forgets keys and tokens. `revoked`: remembered as such until a new grant is saved.
    package func wipeGrant(revoked: Bool) throws(StoreError) {
        try writing { connection throws(SQLiteError) in try GrantRecords.wipe(revoked: revoked, in: connection) }
        emptyLog()
    }

    /// Was the last grant lost to a revocation?
    package func isRevoked() throws(StoreError) -> Bool {
        try reading { connection throws(SQLiteError) in try GrantRecords.isRevoked(in: connection) }
    }

    private func save(_ state: RefreshState) throws(StoreError) -> Bool {
        try writing { connection throws(SQLiteError) in try GrantRecords.save(state, in: connection) }
    }

    private var noGrant: StoreError { StoreError(.unavailable, "\(name) holds no grant.") }

    // MARK: The asks

    /// Writes the ask, or overwrites the one with its id.
    package func save(_ ask: Ask) throws(StoreError) {
        try writing { connection throws(SQLiteError) in try AskRecords.save(ask, in: connection) }
    }

    package func ask(_ id: AskID) throws(StoreError) -> Ask? {
        try reading { connection throws(SQLiteError) in try AskRecords.find(id, in: connection) }
    }

    /// Unfinished ones, and completed ones that were never completely delivered; oldest first.
    package func openAsks() throws(StoreError) -> [Ask] {
        try reading { connection throws(SQLiteError) in try AskRecords.open(in: connection) }
    }

    /// Removes what was finished before then.
    package func forgetAsks(finishedBefore time: UnixTime) throws(StoreError) {
        try writing { connection throws(SQLiteError) in try AskRecords.forget(finishedBefore: time, in: connection) }
    }

    // MARK: The database

    /// Ends the use of the database and the process lock.
    package func close() {
        database = .closed
        files = nil
    }

    private func writing<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try reading { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in try body(connection) }
        }
    }

    private func reading<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        let connection = try connection()
        do throws(SQLiteError) {
            return try body(connection)
        } catch {
            if error.meansLoss, files != nil { database = .lost }
            throw StoreError(error, about: name)
        }
    }

    private func connection() throws(StoreError) -> SQLiteConnection {
        switch database {
        case .open(let connection): return connection
        case .closed: throw StoreError(.unavailable, "\(name) was closed.")
        case .lost:
            let connection = try StoreOpening.reopen(name)
            database = .open(connection)
            return connection
        }
    }

    /// Moves the write-ahead log into the database and cuts it to nothing: what was deleted is gone from both. The
    /// change is durable already; when this fails, the next checkpoint does it.
    private func emptyLog() {
        _ = try? reading { connection throws(SQLiteError) in try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
}
