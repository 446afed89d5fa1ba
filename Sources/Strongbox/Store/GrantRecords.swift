import Core

/// The grant in the tables `grants`, `tokens` and `vaults`: one row, or none.
enum GrantRecords {
    static func exists(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try !connection.rows("SELECT 1 FROM grants").isEmpty
    }

    static func save(
        _ grant: StoredGrant, in connection: SQLiteConnection, _ seal: borrowing ColumnSeal
    ) throws(SQLiteError) {
        try connection.run("DELETE FROM grants")
        let generation = try nextGeneration(connection)
        try connection.run(
            """
            INSERT INTO grants (id, generation, grant_id, client_id, origin, approval_seed, seal_private)
            VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .integer(generation), .text(grant.grantID), .text(grant.clientID), .text(grant.origin),
                .blob(seal.seal(grant.approvalKey.seed, at: .approvalSeed(generation))),
                .blob(seal.seal(grant.sealKey.privateKey, at: .sealPrivate(generation))),
            ])
        try connection.run(
            """
            INSERT INTO tokens (id, generation, access, refresh, access_expires, refresh_state)
            VALUES (1, ?1, ?2, ?3, ?4, ?5)
            """, sealed(grant.tokens, generation, seal) + [.text(grant.refreshState.rawValue)])
        try save(grant.vaults, in: connection)
        if let key = grant.identityKey { _ = try save(identityKey: key, of: grant.grantID, in: connection, seal) }
        try connection.run("UPDATE store SET revoked = 0, copied = 0")
    }

    /// `false` when there is no grant whose tokens these could be.
    static func saveRefreshed(
        _ tokens: borrowing Tokens, vaults: [Vault]?, in connection: SQLiteConnection, _ seal: borrowing ColumnSeal
    ) throws(SQLiteError) -> Bool {
        let generation = try nextGeneration(connection)
        let changed = try connection.run(
            """
            UPDATE tokens SET generation = ?1, access = ?2, refresh = ?3, access_expires = ?4, refresh_state = 'idle'
            """, sealed(tokens, generation, seal))
        guard changed == 1 else { return false }
        try connection.run("UPDATE store SET copied = 0")
        if let vaults { try save(vaults, in: connection) }
        return true
    }

    /// `false` when there is no grant.
    static func save(_ state: RefreshState, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.run("UPDATE tokens SET refresh_state = ?1", [.text(state.rawValue)]) == 1
    }

    static func wipe(revoked: Bool, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run("DELETE FROM grants")
        try connection.run("UPDATE store SET revoked = ?1, copied = 0", [.integer(revoked ? 1 : 0)])
    }

    static func isRevoked(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.row("SELECT revoked FROM store").integer(0) == 1
    }

    static func save(_ vaults: [Vault], of grantID: String, in connection: SQLiteConnection) throws(SQLiteError) {
        guard try generation(of: grantID, in: connection) != nil else { return }
        try save(vaults, in: connection)
    }

    /// It is no secret, but nobody else may put one here: so it is sealed like one. `false` when there is no such grant.
    static func save(
        identityKey key: [UInt8], of grantID: String, in connection: SQLiteConnection, _ seal: borrowing ColumnSeal
    ) throws(SQLiteError) -> Bool {
        guard let generation = try generation(of: grantID, in: connection) else { return false }
        let sealed = seal.seal(Secret(copying: key), at: .identityKey(generation))
        return try connection.run("UPDATE grants SET identity_key = ?1", [.blob(sealed)]) == 1
    }

    /// The one that is pinned from now on: this one, when there was none. `nil` when there is no such grant.
    static func pin(
        _ key: [UInt8], of grantID: String, in connection: SQLiteConnection, _ seal: borrowing ColumnSeal
    ) throws(SQLiteError) -> [UInt8]? {
        let rows = try connection.rows(
            "SELECT generation, identity_key FROM grants WHERE grant_id = ?1", [.text(grantID)])
        guard let row = rows.first else { return nil }
        if let pinned = try identityKey(row.optionalBlob(1), generation: try row.integer(0), seal) { return pinned }
        return try save(identityKey: key, of: grantID, in: connection, seal) ? key : nil
    }

    static func identityKey(
        _ sealed: [UInt8]?, generation: Int64, _ seal: borrowing ColumnSeal
    ) throws(SQLiteError) -> [UInt8]? {
        guard let sealed else { return nil }
        guard let key = seal.open(sealed, at: .identityKey(generation)) else { throw .corrupt }
        return key.exposed()
    }

    private static func generation(
        of grantID: String, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Int64? {
        try connection.rows("SELECT generation FROM grants WHERE grant_id = ?1", [.text(grantID)]).first?.integer(0)
    }

    private static func save(_ vaults: [Vault], in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run("DELETE FROM vaults")
        for (position, vault) in vaults.enumerated() {
            try connection.run(
                "INSERT INTO vaults (grant_row, position, id, name, policy) VALUES (1, ?1, ?2, ?3, ?4)",
                [.integer(Int64(position)), .text(vault.id), .text(vault.name), .text(vault.policy.rawValue)])
        }
    }

    private static func nextGeneration(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.row("UPDATE store SET generation = generation + 1 RETURNING generation").integer(0)
    }

    private static func sealed(
        _ tokens: borrowing Tokens, _ generation: Int64, _ seal: borrowing ColumnSeal
    ) -> [SQLiteValue] {
        [
            .integer(generation),
            .blob(seal.seal(tokens.access, at: .access(generation))),
            .blob(seal.seal(tokens.refresh, at: .refresh(generation))),
            .integer(tokens.accessExpiresAt.nanoseconds),
        ]
    }
}

extension ColumnSeal.Place {
    static func approvalSeed(_ generation: Int64) -> Self {
        Self(table: "grants", row: 1, column: "approval_seed", generation: generation)
    }

    static func sealPrivate(_ generation: Int64) -> Self {
        Self(table: "grants", row: 1, column: "seal_private", generation: generation)
    }

    static func identityKey(_ generation: Int64) -> Self {
        Self(table: "grants", row: 1, column: "identity_key", generation: generation)
    }

    static func access(_ generation: Int64) -> Self {
        Self(table: "tokens", row: 1, column: "access", generation: generation)
    }

    static func refresh(_ generation: Int64) -> Self {
        Self(table: "tokens", row: 1, column: "refresh", generation: generation)
    }
}
