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
    /// What to do where no command mends it.
    package let advice: String?

    package init(_ reason: Reason, _ detail: String, fix: String? = nil, advice: String? = nil) {
        self.reason = reason
        self.detail = detail
        self.fix = fix
        self.advice = advice
    }
}

extension StoreError {
    /// What a fault point plays.
    package static let injected = StoreError(.unavailable, "The store was told to fail.")

    /// What SQLite answered about this database.
    init(_ error: SQLiteError, about name: String) {
        if error.meansDamage {
            self.init(.damaged, "\(name) is damaged: \(error.text) (\(error.code)).")
        } else {
            self.init(.unavailable, "\(name) cannot be used now: \(error.text) (\(error.code)).")
        }
    }
}
