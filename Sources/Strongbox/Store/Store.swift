package import Core

/// The encrypted store: one SQLite database, one writer, one process.
///
/// Every method that writes returns when the change is durable (`synchronous=FULL`). It runs on a thread of its own.
package actor Store {
    private let executor: DedicatedThread
    let database: StoreDatabase

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens, checks owner and modes, takes the process lock, migrates. It blocks meanwhile.
    /// - Parameter keyFile: the path of the 32-byte master key; created 0600 only when the store holds no sealed row.
    ///   Unused with `.memory`, which makes a key of its own.
    package init(_ location: StoreLocation, keyFile: String?) throws(StoreError) {
        try self.init(location, keyFile: keyFile, StoreLimits())
    }

    init(_ location: StoreLocation, keyFile: String?, _ limits: StoreLimits) throws(StoreError) {
        executor = try DedicatedThread()
        let opened: StoreOpening.Opened
        switch location {
        case .memory: opened = try StoreOpening.inMemory()
        case .directory(let path):
            guard let keyFile else { preconditionFailure("a store in a directory has a key file") }
            opened = try StoreOpening.inDirectory(path, keyFile: keyFile)
        }
        database = try StoreDatabase(opened, limits)
    }

    // MARK: The grant

    package func loadGrant() throws(StoreError) -> StoredGrant? {
        try database.reading { connection throws(SQLiteError) in try GrantRecords.load(from: connection, database.seal)
        }
    }

    /// Replaces what is there, in one transaction.
    package func save(_ grant: StoredGrant) throws(StoreError) {
        try database.writing { connection throws(SQLiteError) in
            try GrantRecords.save(grant, in: connection, database.seal)
        }
        database.forgetOldSecrets()
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
        let isSaved = try database.writing { connection throws(SQLiteError) in
            try GrantRecords.saveRefreshed(tokens, vaults: vaults, in: connection, database.seal)
        }
        guard isSaved else { throw noGrant }
        database.emptyLog()
    }

    /// What MimiKey says that the grant reaches now; nothing happens when another grant is stored.
    package func save(_ vaults: [Vault], of grantID: String) throws(StoreError) {
        try database.writing { connection throws(SQLiteError) in
            try GrantRecords.save(vaults, of: grantID, in: connection)
        }
    }

    /// Pins the account's identity key, unless one is pinned: gives the one that is from now on. Throws when another grant is
    /// stored.
    package func pinIdentityKey(_ key: [UInt8], of grantID: String) throws(StoreError) -> [UInt8] {
        let pinned = try database.writing { connection throws(SQLiteError) in
            try GrantRecords.pin(key, of: grantID, in: connection, database.seal)
        }
        guard let pinned else { throw noGrant }
        return pinned
    }

    /// Pins it in the place of another one. Throws when another grant is stored.
    package func replaceIdentityKey(with key: [UInt8], of grantID: String) throws(StoreError) {
        let isSaved = try database.writing { connection throws(SQLiteError) in
            try GrantRecords.save(identityKey: key, of: grantID, in: connection, database.seal)
        }
        guard isSaved else { throw noGrant }
    }

    /// Forgets keys and tokens. `revoked`: remembered as such until a new grant is saved.
    package func wipeGrant(revoked: Bool) throws(StoreError) {
        try database.writing { connection throws(SQLiteError) in try GrantRecords.wipe(revoked: revoked, in: connection)
        }
        database.forgetOldSecrets()
    }

    /// Was the last grant lost to a revocation?
    package func isRevoked() throws(StoreError) -> Bool {
        try database.reading { connection throws(SQLiteError) in try GrantRecords.isRevoked(in: connection) }
    }

    /// Does the grant come from a copy of the state, or from a restored one? Its refresh token may have been spent since; its
    /// refresh state is `unknown`.
    package func isCopied() throws(StoreError) -> Bool {
        try database.reading { connection throws(SQLiteError) in try StoreOrigin.isCopied(in: connection) }
    }

    private func save(_ state: RefreshState) throws(StoreError) -> Bool {
        try database.writing { connection throws(SQLiteError) in try GrantRecords.save(state, in: connection) }
    }

    private var noGrant: StoreError { StoreError(.unavailable, "\(database.name) holds no grant.") }

    // MARK: The asks

    /// Writes a new ask. Throws, too, when there is not the room to begin something new.
    package func begin(_ ask: Ask) throws(StoreError) {
        try database.checkRoom()
        try save(ask)
    }

    /// Writes the ask, or overwrites the one with its id.
    package func save(_ ask: Ask) throws(StoreError) {
        try database.writing { connection throws(SQLiteError) in try AskRecords.save(ask, in: connection) }
    }

    package func ask(_ id: AskID) throws(StoreError) -> Ask? {
        try database.reading { connection throws(SQLiteError) in try AskRecords.find(id, in: connection) }
    }

    /// The last ask that MimiKey gave this id for.
    package func ask(upstreamID: String) throws(StoreError) -> Ask? {
        try database.reading { connection throws(SQLiteError) in
            try AskRecords.find(upstreamID: upstreamID, in: connection)
        }
    }

    /// Unfinished ones, and completed ones that were never completely delivered; oldest first.
    package func openAsks() throws(StoreError) -> [Ask] {
        try database.reading { connection throws(SQLiteError) in try AskRecords.open(in: connection) }
    }

    /// Denied ones, and failed ones with that error, that ended since then; oldest first.
    package func asksRefused(or error: ErrorCode, since time: UnixTime) throws(StoreError) -> [Ask] {
        try database.reading { connection throws(SQLiteError) in
            try AskRecords.refused(or: error, since: time, in: connection)
        }
    }

    /// A caller's asks, or everybody's, newest first, that are open or ended since then. `before`: only those that are older
    /// than that one, which must be among them.
    package func asks(
        of caller: CallerName?, before id: AskID?, finishedSince time: UnixTime, limit: Int
    ) throws(StoreError) -> [Ask] {
        try database.reading { connection throws(SQLiteError) in
            try AskRecords.page(of: caller, before: id, finishedSince: time, limit: limit, in: connection)
        }
    }

    /// Removes what was finished before then.
    package func forgetAsks(finishedBefore time: UnixTime) throws(StoreError) {
        try database.writing { connection throws(SQLiteError) in
            try AskRecords.forget(finishedBefore: time, in: connection)
        }
    }

    // MARK: Fingerprints

    /// HMAC-SHA256 under a key that belongs to this store and never leaves it, in lower-case hex: says whether two bodies
    /// are equal, and nothing else of them.
    package func fingerprint(of body: SecretBody) -> String { database.seal.fingerprint(of: body) }

    // MARK: The database

    /// Throws when something new could not be written now: no room, the files replaced, or a last write that failed and
    /// fails again.
    package func check() throws(StoreError) { try database.check() }

    /// Ends the use of the database and the process lock.
    package func close() { database.close() }
}
