import CSQLite

/// One connection to a database. Used by one thread at a time.
final class SQLiteConnection {
    enum Mode {
        /// Nothing is written, not even what a crash left in the write-ahead log.
        case readOnly
        /// The file exists.
        case readWrite
        case memory
    }

    private let handle: OpaquePointer
    private let patience: Int32

    /// - Parameters:
    ///   - path: absolute and without symbolic links; unused in memory.
    ///   - patience: how long to wait for another connection's lock, in milliseconds.
    init(_ path: String, _ mode: Mode, patience: Int32 = 5_000) throws(SQLiteError) {
        let access: Int32 =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
            }
        var opened: OpaquePointer?
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        let name = if case .memory = mode { ":memory:" } else { path }
        let status = sqlite3_open_v2(name, &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw SQLiteError(code: status)
        }
        handle = opened
        self.patience = patience
        sqlite3_busy_timeout(handle, patience)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements that give no rows and take no values.
    func execute(_ sql: StaticString) throws(SQLiteError) {
        try check(sqlite3_exec(handle, sql.description, nil, nil, nil))
    }

    /// Runs one statement and reads all its rows.
    @discardableResult
    func rows(_ sql: StaticString, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [SQLiteRow] {
        let statement = try SQLiteStatement(sql, in: handle)
        try statement.bind(values)
        return try statement.rows()
    }

    /// Runs one statement that has exactly one row, if the database is as we made it.
    func row(_ sql: StaticString, _ values: [SQLiteValue] = []) throws(SQLiteError) -> SQLiteRow {
        let rows = try rows(sql, values)
        guard rows.count == 1 else { throw .corrupt }
        return rows[0]
    }

    /// Runs one statement that writes; says how many rows it changed.
    @discardableResult
    func run(_ sql: StaticString, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
        try rows(sql, values)
        return Int(sqlite3_changes64(handle))
    }

    /// Everything in it, durable, or nothing. Takes the writer's place at the start, so that it cannot lose it half-way.
    @discardableResult
    func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        if isMoved { throw .moved }
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite has rolled back by itself after some errors.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// A transaction. Without patience another connection's lock is not waited for: when one write has waited in vain,
    /// those behind it are not to wait as long again, each in its turn.
    func write<Result>(
        patiently: Bool, _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        sqlite3_busy_timeout(handle, patiently ? patience : 0)
        defer { sqlite3_busy_timeout(handle, patience) }
        return try transaction { () throws(SQLiteError) in try body(self) }
    }

    /// Moves the write-ahead log into the database, and cuts it to nothing unless somebody reads from it.
    func emptyLog() throws(SQLiteError) {
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, patience) }
        try rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Was the file under it renamed, replaced or deleted?
    private var isMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    private func check(_ status: Int32) throws(SQLiteError) {
        if status != SQLITE_OK { throw SQLiteError(code: status) }
    }
}
