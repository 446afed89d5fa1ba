package import Core

/// Where the store lies.
package enum StoreLocation: Hashable, Sendable {
    /// Nothing survives the process.
    case memory
    /// A directory: 0700, ours. The database and its companions are made 0600 in it.
    case directory(String)
}

/// Why the store could not be opened, read or written.
package struct StoreError: Error, Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable {
        /// Another process has this state directory.
        case inUse = "state_in_use"
        /// Owner or mode of a file or directory is wrong.
        case permissions = "state_permissions"
        /// The key file is missing although sealed rows exist.
        case keyMissing = "key_missing"
        /// The key file is no 32 bytes, or does not open what is stored.
        case keyWrong = "key_wrong"
        /// Written by a newer version.
        case newerVersion = "state_newer"
        /// The database is damaged.
        case damaged = "state_damaged"
        /// Disk full, input/output error, busy.
        case unavailable = "storage"
    }

    package let reason: Reason
    /// One sentence; names a path where there is one.
    package let detail: String
    /// The command that mends it, such as `chmod 600 …`; `nil` when there is none.
    package let fix: String?

    package init(_ reason: Reason, _ detail: String, fix: String? = nil) {
        self.reason = reason
        self.detail = detail
        self.fix = fix
    }
}

/// The encrypted store: one SQLite database, one writer, one process.
///
/// Every method that writes returns when the change is durable (`synchronous=FULL`). It runs on a thread of its own.
package actor Store {
    /// Opens, checks owner and modes, takes the process lock, migrates.
    /// - Parameter keyFile: the path of the 32-byte master key; created 0600 only when the store holds no sealed row.
    ///   Unused with `.memory`, which makes a key of its own.
    package init(_ location: StoreLocation, keyFile: String?) throws(StoreError) { fatalError() }

    // MARK: The grant

    package func loadGrant() throws(StoreError) -> StoredGrant? { fatalError() }
    /// Replaces what is there, in one transaction.
    package func save(_ grant: StoredGrant) throws(StoreError) { fatalError() }
    /// Durable before the first byte of a refresh goes out.
    package func markRefreshStarted() throws(StoreError) { fatalError() }
    /// The server certainly did not rotate.
    package func clearRefreshMark() throws(StoreError) { fatalError() }
    package func markRefreshUnknown() throws(StoreError) { fatalError() }
    /// The new pair; durable before it is used. Clears the mark. `vaults`: as `save`, when the answer had them.
    package func saveRefreshed(_ tokens: borrowing Tokens, vaults: [Vault]?) throws(StoreError) { fatalError() }
    /// Forgets keys and tokens. `revoked`: remembered as such until a new grant is saved.
    package func wipeGrant(revoked: Bool) throws(StoreError) { fatalError() }
    /// Was the last grant lost to a revocation?
    package func isRevoked() throws(StoreError) -> Bool { fatalError() }

    // MARK: The asks

    /// Writes the ask, or overwrites the one with its id.
    package func save(_ ask: Ask) throws(StoreError) { fatalError() }
    package func ask(_ id: AskID) throws(StoreError) -> Ask? { fatalError() }
    /// Unfinished ones, and completed ones that were never completely delivered; oldest first.
    package func openAsks() throws(StoreError) -> [Ask] { fatalError() }
    /// Removes what was finished before then.
    package func forgetAsks(finishedBefore time: UnixTime) throws(StoreError) { fatalError() }

    /// Ends the use of the database and the process lock.
    package func close() { fatalError() }
}
