import Core

/// The database of a store, as it is used: opened anew when it was lost, written no more when it was replaced.
///
/// Used by one thread at a time.
final class StoreDatabase {
    private enum State {
        case open(SQLiteConnection)
        /// An input or output error: what of it is on the disk is not known, so that it is opened anew.
        case lost
        /// The files under it were replaced or deleted. What is in it can be read, and is never written again.
        case displaced(SQLiteConnection)
        case closed
    }

    let name: String
    let seal: ColumnSeal
    private let limits: StoreLimits
    private var state: State
    private var files: StoreFiles?
    /// The files that the open connection works with.
    private var identities: [FileIdentity?] = []
    /// The last write failed, and none has succeeded since.
    private var isFailing = false

    /// A value that was changed or swapped is found now, not at the first call.
    init(_ opened: consuming StoreOpening.Opened, _ limits: StoreLimits) throws(StoreError) {
        let connection = opened.connection
        name = opened.name
        files = opened.files
        self.limits = limits
        state = .open(connection)
        seal = opened.takeSeal()
        identities = try files?.identities() ?? []
        _ = try reading { connection throws(SQLiteError) in try GrantRecords.load(from: connection, seal) }
    }

    func close() {
        state = .closed
        files = nil
    }

    // MARK: Looking

    /// Throws when something new could not be written now: no room, the files replaced, or a last write that failed and
    /// fails again.
    func check() throws(StoreError) {
        try checkRoom()
        if case .displaced = state { throw displaced }
        guard isFailing else {
            _ = try reading { connection throws(SQLiteError) in try GrantRecords.isRevoked(in: connection) }
            return
        }
        _ = try writing { connection throws(SQLiteError) in
            // Something has to change: SQLite writes no page that stays as it is.
            try connection.run("UPDATE store SET generation = generation + 1")
        }
    }

    /// Throws when there is not the room to begin something new.
    func checkRoom() throws(StoreError) {
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
        guard let files, case .open(let connection) = state else { return }
        guard try files.identities() != identities else { return }
        state = .displaced(connection)
        throw displaced
    }

    private var displaced: StoreError {
        StoreError(
            .unavailable, "\(name), or a file that belongs to it, was replaced or deleted under the running gateway.",
            advice: "stop the gateway, put the files back as they were, and start it again")
    }

    func writing<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            try checkFiles()
            if case .displaced = state { throw displaced }
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

    func reading<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        let connection = try connection()
        do throws(SQLiteError) {
            return try body(connection)
        } catch {
            if error.meansLoss, files != nil, case .open = state { state = .lost }
            throw StoreError(error, about: name)
        }
    }

    private func connection() throws(StoreError) -> SQLiteConnection {
        switch state {
        case .open(let connection), .displaced(let connection): return connection
        case .closed: throw StoreError(.unavailable, "\(name) was closed.")
        case .lost: return try reopen()
        }
    }

    /// Nothing of the old connection is used any more. While the new one does not stand the looks of a start, the store
    /// stays lost.
    private func reopen() throws(StoreError) -> SQLiteConnection {
        guard let files else { preconditionFailure("only a store in a directory is lost") }
        // Another database in its place is not ours to open.
        guard try files.identities().first == identities.first else { throw displaced }
        state = .open(try StoreOpening.reopen(files))
        do throws(StoreError) {
            identities = try files.identities()
            _ = try reading { connection throws(SQLiteError) in try GrantRecords.load(from: connection, seal) }
        } catch {
            state = .lost
            throw error
        }
        return try connection()
    }

    /// Keys or tokens were replaced or wiped: they are gone from the log, too, and from every copy.
    func forgetOldSecrets() {
        emptyLog()
        try? files?.removeCopies(before: Schema.ours.version)
    }

    /// Moves the write-ahead log into the database and cuts it to nothing: what was deleted is gone from both. The
    /// change is durable already; when this fails, the next checkpoint does it.
    func emptyLog() {
        _ = try? reading { connection throws(SQLiteError) in
            try FaultPoint.databaseCheckpoint.reached(orThrow: SQLiteError.full)
            try connection.emptyLog()
            try FaultPoint.databaseCheckpoint.reached(orThrow: SQLiteError.full)
        }
    }
}
