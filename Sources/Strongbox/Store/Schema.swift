import Core

/// The tables, as a row of migrations: what a version of the program writes and knows.
struct Schema: Sendable {
    private let migrations: [StaticString]

    init(_ migrations: [StaticString]) { self.migrations = migrations }

    /// What this program writes.
    static let ours = Schema([firstTables, allOperations, origin])

    var version: Int64 { Int64(migrations.count) }

    static func version(of connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.row("PRAGMA user_version").integer(0)
    }

    /// Carries out what is missing, together with the number that remembers it, in one transaction: a process that dies in
    /// it leaves the old tables.
    func migrate(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try Self.version(of: connection) < version else { return }
        try connection.transaction { () throws(SQLiteError) in
            for step in Int(try Self.version(of: connection))..<migrations.count {
                try connection.execute(migrations[step])
                try FaultPoint.migrationStep.reached(orThrow: SQLiteError.full)
            }
        }
    }

    // Times are nanoseconds since 1970. `generation` goes up with each write of a sealed row and is bound into it.
    static let firstTables: StaticString = """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_proof BLOB,
            generation INTEGER NOT NULL,
            revoked INTEGER NOT NULL CHECK (revoked IN (0, 1))
        ) STRICT;
        INSERT INTO store (id, key_proof, generation, revoked) VALUES (1, NULL, 0, 0);

        CREATE TABLE grants (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            generation INTEGER NOT NULL,
            grant_id TEXT NOT NULL,
            client_id TEXT NOT NULL,
            origin TEXT NOT NULL,
            approval_seed BLOB NOT NULL,
            seal_private BLOB NOT NULL
        ) STRICT;

        CREATE TABLE tokens (
            id INTEGER PRIMARY KEY REFERENCES grants (id) ON DELETE CASCADE,
            generation INTEGER NOT NULL,
            access BLOB NOT NULL,
            refresh BLOB NOT NULL,
            access_expires INTEGER NOT NULL,
            refresh_state TEXT NOT NULL CHECK (refresh_state IN ('idle', 'started', 'unknown'))
        ) STRICT;

        CREATE TABLE vaults (
            grant_row INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            id TEXT NOT NULL,
            name TEXT NOT NULL,
            policy TEXT NOT NULL,
            PRIMARY KEY (grant_row, position)
        ) STRICT;

        CREATE TABLE asks (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            caller TEXT NOT NULL,
            op TEXT NOT NULL,
            state TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER,
            upstream_id TEXT,
            call TEXT NOT NULL,
            open_url TEXT,
            callback_state TEXT NOT NULL,
            deny_reason TEXT,
            error TEXT,
            finished INTEGER,
            delivered INTEGER
        ) STRICT;
        CREATE INDEX asks_finished ON asks (finished);

        PRAGMA user_version = 1;
        """

    /// The grant that an ask belongs to, and what the other operations come to.
    static let allOperations: StaticString = """
        ALTER TABLE asks ADD COLUMN grant_id TEXT;
        ALTER TABLE asks ADD COLUMN updated_item TEXT;
        ALTER TABLE asks ADD COLUMN updated_revision INTEGER;
        ALTER TABLE asks ADD COLUMN saved_out_of_scope INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE asks ADD COLUMN forgiven INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX asks_caller ON asks (caller, sequence);

        ALTER TABLE grants ADD COLUMN identity_key BLOB;

        PRAGMA user_version = 2;
        """

    /// The file that the database lay in last, and whether that was another one than before.
    static let origin: StaticString = """
        ALTER TABLE store ADD COLUMN inode INTEGER;
        ALTER TABLE store ADD COLUMN birth INTEGER;
        ALTER TABLE store ADD COLUMN copied INTEGER NOT NULL DEFAULT 0;

        PRAGMA user_version = 3;
        """
}
