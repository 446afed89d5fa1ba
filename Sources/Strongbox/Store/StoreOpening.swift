import Core

/// Opens a store: everything that could be wrong is found out before anything is written.
enum StoreOpening {
    struct Opened: ~Copyable {
        let connection: SQLiteConnection
        let seal: ColumnSeal
        let name: String
        /// Ends the lock when it goes; `nil` in memory.
        let files: StoreFiles?

        consuming func takeSeal() -> ColumnSeal { seal }
    }

    static func inMemory() throws(StoreError) -> Opened {
        let seal = ColumnSeal(masterKey: Secret(random: XChaCha20Poly1305.keyCount))
        let name = "The database in memory"
        let connection = try reporting(name) { () throws(SQLiteError) in
            let connection = try SQLiteConnection("", .memory)
            try configure(connection)
            try Schema.ours.migrate(connection)
            return connection
        }
        return Opened(connection: connection, seal: seal, name: name, files: nil)
    }

    static func inDirectory(
        _ path: String, keyFile: String, schema: Schema = .ours
    ) throws(StoreError) -> Opened {
        let files = try StoreFiles(path)
        let name = files.databasePath
        let state = try files.hasDatabase ? survey(name, schema) : Survey()
        let seal: ColumnSeal
        if let key = try KeyFile.read(keyFile) {
            seal = ColumnSeal(masterKey: key)
            if state.hasSealedRows, !state.isProved(by: seal) {
                throw StoreError(
                    .keyWrong, "The key file \(keyFile) does not belong to \(name).",
                    advice: "put back the key file that belongs to this state directory")
            }
        } else {
            guard !state.hasSealedRows else {
                throw StoreError(
                    .keyMissing, "\(name) holds a sealed grant, and its key file \(keyFile) is missing.",
                    advice: "put back the key file that belongs to this state directory")
            }
            seal = ColumnSeal(masterKey: try KeyFile.create(keyFile))
        }
        try files.prepareDatabase()
        let isProved = state.isProved(by: seal)
        let connection = try reporting(name) { () throws(SQLiteError) in
            let connection = try SQLiteConnection(name, .readWrite)
            try configure(connection)
            return connection
        }
        if 0 < state.version, state.version < schema.version {
            try files.keepCopy(of: state.version) { path throws(StoreError) in
                try reporting(path) { () throws(SQLiteError) in _ = try connection.run("VACUUM INTO ?1", [.text(path)])
                }
            }
        }
        let proof = seal.proof()
        try reporting(name) { () throws(SQLiteError) in
            try schema.migrate(connection)
            if !isProved { try connection.run("UPDATE store SET key_proof = ?1", [.blob(proof)]) }
        }
        let file = try files.databaseFile()
        try reporting(name) { () throws(SQLiteError) in try StoreOrigin.note(file, in: connection) }
        return Opened(connection: connection, seal: seal, name: name, files: files)
    }

    /// Opens the database of a store again after an input or output error, and looks at it as at a start: what was
    /// acknowledged must be there, and nothing that came after is trusted.
    static func reopen(_ files: StoreFiles) throws(StoreError) -> SQLiteConnection {
        files.forgetCache()
        return try reporting(files.databasePath) { () throws(SQLiteError) in
            let connection = try SQLiteConnection(files.databasePath, .readWrite)
            try configure(connection)
            guard try Schema.version(of: connection) == Schema.ours.version else { throw .corrupt }
            try check(connection)
            return connection
        }
    }

    /// What a look at a database tells.
    private struct Survey {
        var version: Int64 = 0
        var hasSealedRows = false
        var keyProof: [UInt8]?

        func isProved(by seal: borrowing ColumnSeal) -> Bool {
            guard let keyProof else { return false }
            return seal.accepts(proof: keyProof)
        }
    }

    private static func survey(_ path: String, _ schema: Schema) throws(StoreError) -> Survey {
        let survey = try reporting(path) { () throws(SQLiteError) in
            let connection = try SQLiteConnection(path, .readOnly)
            var survey = Survey(version: try Schema.version(of: connection))
            // What a newer version made of the tables is not ours to judge.
            guard survey.version <= schema.version else { return survey }
            try check(connection)
            guard survey.version > 0 else { return survey }
            survey.hasSealedRows = try GrantRecords.exists(in: connection)
            survey.keyProof = try connection.rows("SELECT key_proof FROM store").first?.optionalBlob(0)
            return survey
        }
        guard survey.version <= schema.version else {
            throw StoreError(
                .newerVersion,
                "\(path) was written by a newer version (format \(survey.version); this one knows \(schema.version)).",
                advice: "install the version that wrote it, or a later one")
        }
        return survey
    }

    private static func check(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try connection.rows("PRAGMA quick_check(1)").first?.text(0) == "ok" else { throw .corrupt }
    }

    private static func configure(_ connection: SQLiteConnection) throws(SQLiteError) {
        // Durable at each commit, overwritten when deleted, nothing in temporary files, no tricks in a foreign schema.
        try connection.rows("PRAGMA journal_mode = WAL")
        try connection.execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = ON;
            PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            """)
        try connection.rows("PRAGMA journal_size_limit = 4194304")
    }
}

/// Tells what SQLite answered as the store's error, with the name of the database.
func reporting<Result>(
    _ name: String, _ body: () throws(SQLiteError) -> Result
) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw StoreError(error, about: name) }
}
