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
        try connection.run("UPDATE store SET revoked = 0")
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
        if let vaults { try save(vaults, in: connection) }
        return true
    }

    /// `false` when there is no grant.
    static func save(_ state: RefreshState, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.run("UPDATE tokens SET refresh_state = ?1", [.text(state.rawValue)]) == 1
    }

    static func wipe(revoked: Bool, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run("DELETE FROM grants")
        try connection.run("UPDATE store SET revoked = ?1", [.integer(revoked ? 1 : 0)])
    }

    static func isRevoked(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.row("SELECT revoked FROM store").integer(0) == 1
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

    static func access(_ generation: Int64) -> Self {
        Self(table: "tokens", row: 1, column: "access", generation: generation)
    }

    static func refresh(_ generation: Int64) -> Self {
        Self(table: "tokens", row: 1, column: "refresh", generation: generation)
    }
}
