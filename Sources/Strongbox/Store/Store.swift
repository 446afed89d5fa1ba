package import Core

/// The encrypted store: one SQLite database, one writer, one process.
///
/// Every method that writes returns when the change is durable (`synchronous=FULL`). It runs on a thread of its own.
package actor Store {
    private enum Database {
        case open(SQLiteConnection)
        /// An input or output error: what of it is on the disk is not known, so that it is opened anew.
        case lost
        /// The files under it were replaced or deleted. What is in it can be read, and is never written again.
        case displaced(SQLiteConnection)
        case closed
    }

    private let executor: DedicatedThread
    private let seal: ColumnSeal
    private let name: String
    private let limits: StoreLimits
    private var database: Database
    private var files: StoreFiles?
    /// The files that the open connection works with.
    private var identities: [FileIdentity?] = []
    /// The last write failed, and none has succeeded since.
    private var isFailing = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens, checks owner and modes, takes the process lock, migrates. It blocks meanwhile.
    /// - Parameter keyFile: the path of the 32-byte master key; created 0600 only when the store holds no sealed row.
    ///   Unused with `.memory`, which makes a key of its own.
    package init(_ location: StoreLocation, keyFile: String?) throws(StoreError) {
        try self.init(location, keyFile: keyFile, StoreLimits())
    }

    init(_ location: StoreLocation, keyFile: String?, _ limits: StoreLimits) throws(StoreError) {
        self.limits = limits
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
        identities = try opened.files?.identities() ?? []
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
        forgetOldSecrets()
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
        emptyLog()
    }

    /// Forgets keys and tokens. `revoked`: remembered as such until a new grant is saved.
    package func wipeGrant(revoked: Bool) throws(StoreError) {
        try writing { connection throws(SQLiteError) in try GrantRecords.wipe(revoked: revoked, in: connection) }
        forgetOldSecrets()
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

    /// Writes a new ask. Throws, too, when there is not the room to begin something new.
    package func begin(_ ask: Ask) throws(StoreError) {
        try checkRoom()
        try save(ask)
    }

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

    /// Failed ones with that error that ended since then.
    package func asks(failedWith error: ErrorCode, since time: UnixTime) throws(StoreError) -> [Ask] {
        try reading { connection throws(SQLiteError) in
            try AskRecords.failed(with: error, since: time, in: connection)
        }
    }

    /// Removes what was finished before then.
    package func forgetAsks(finishedBefore time: UnixTime) throws(StoreError) {
        try writing { connection throws(SQLiteError) in try AskRecords.forget(finishedBefore: time, in: connection) }
    }

    // MARK: The database

    /// Throws when something new could not be written now: no room, the files replaced, or a last write that failed and
    /// fails again.
    package func check() throws(StoreError) {
        try checkRoom()
        if case .displaced = database { throw displaced }
        guard isFailing else {
            _ = try reading { connection throws(SQLiteError) in try GrantRecords.isRevoked(in: connection) }
            return
        }
        _ = try writing { connection throws(SQLiteError) in
            // Something has to change: SQLite writes no page that stays as it is.
            try connection.run("UPDATE store SET generation = generation + 1")
        }
    }

    /// Ends the use of the database and the process lock.
    package func close() {
        database = .closed
        files = nil
    }

    private func checkRoom() throws(StoreError) {
        guard let files else { return }
        try checkFiles()
        try files.checkRoom(limits)
        guard try files.logSize() > limits.log else { return }
        emptyLog()
        guard try files.logSize() > limits.log else { return }
        throw StoreError(
            .unavailable, "The write-ahead log of \(name) cannot be emptied.",
            advice: "another program reads \(name) for a long time; end it")
    }

    /// A database whose files are no longer the ones that were opened is written no more: another program may have put
    /// its own there.
    private func checkFiles() throws(StoreError) {
        guard let files, case .open(let connection) = database else { return }
        guard try files.identities() != identities else { return }
        database = .displaced(connection)
        throw displaced
    }

    private var displaced: StoreError {
        StoreError(
            .unavailable, "\(name), or a file that belongs to it, was replaced or deleted under the running gateway.",
            advice: "stop the gateway, put the files back as they were, and start it again")
    }

    private func writing<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            try checkFiles()
            if case .displaced = database { throw displaced }
            let result = try reading { connection throws(SQLiteError) in
                if FaultPoint.refusesWrite { throw .full }
                return try connection.write(patiently: !isFailing, body)
            }
            isFailing = false
            return result
        } catch {
            isFailing = true
            throw error
        }
    }

    private func reading<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        let connection = try connection()
        do throws(SQLiteError) {
            return try body(connection)
        } catch {
            if error.meansLoss, files != nil, case .open = database { database = .lost }
            throw StoreError(error, about: name)
        }
    }

    private func connection() throws(StoreError) -> SQLiteConnection {
        switch database {
        case .open(let connection), .displaced(let connection): return connection
        case .closed: throw StoreError(.unavailable, "\(name) was closed.")
        case .lost: return try reopen()
        }
    }

    /// Nothing of the old connection is used any more. While the new one does not stand the looks of a start, the store
    /// stays lost.
    private func reopen() throws(StoreError) -> SQLiteConnection {
        guard let files else { preconditionFailure("only a store in a directory is lost") }
        database = .open(try StoreOpening.reopen(files))
        do throws(StoreError) {
            identities = try files.identities()
            _ = try reading { connection throws(SQLiteError) in try GrantRecords.load(from: connection, seal) }
        } catch {
            database = .lost
            throw error
        }
        return try connection()
    }

    /// Keys or tokens were replaced or wiped: they are gone from the log, too, and from every copy.
    private func forgetOldSecrets() {
        emptyLog()
        try? files?.removeCopies(before: Schema.ours.version)
    }

    /// Moves the write-ahead log into the database and cuts it to nothing: what was deleted is gone from both. The
    /// change is durable already; when this fails, the next checkpoint does it.
    private func emptyLog() {
        _ = try? reading { connection throws(SQLiteError) in
            try FaultPoint.databaseCheckpoint.reached(orThrow: SQLiteError.full)
            try connection.emptyLog()
            try FaultPoint.databaseCheckpoint.reached(orThrow: SQLiteError.full)
        }
    }
}
