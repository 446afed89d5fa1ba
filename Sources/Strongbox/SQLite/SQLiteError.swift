import CSQLite

/// SQLite's own error number; its text may quote data, so that it is not kept.
struct SQLiteError: Error, Hashable, Sendable {
    /// The extended result code.
    let code: Int32

    /// The result code without what extends it.
    var primary: Int32 { code & 0xFF }

    /// The store is no longer to be trusted: what is read from it is wrong.
    var meansDamage: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH].contains(primary)
    }

    /// Nobody knows what of the last writes reached the disk: this connection is not used again.
    var meansLoss: Bool { primary == SQLITE_IOERR }

    /// The database file is no longer the one that was opened (`SQLITE_READONLY_DBMOVED`): nothing is written any more.
    static let moved = SQLiteError(code: SQLITE_READONLY | (4 << 8))
    static let full = SQLiteError(code: SQLITE_FULL)
    /// What is there was never written by us.
    static let corrupt = SQLiteError(code: SQLITE_CORRUPT)
    /// A value is not of the kind that its column has.
    static let mismatch = SQLiteError(code: SQLITE_MISMATCH)

    /// SQLite's fixed English words for the number.
    var text: String { String(cString: sqlite3_errstr(code)) }
}
