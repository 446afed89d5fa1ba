import Core

extension GrantRecords {
    /// `nil` when there is no grant. What cannot be a grant, and a sealed column that does not open although the key is
    /// the right one, is `SQLITE_CORRUPT`: it was not written by us.
    static func load(
        from connection: SQLiteConnection, _ seal: borrowing ColumnSeal
    ) throws(SQLiteError) -> StoredGrant? {
        let rows = try connection.rows(
            """
            SELECT grants.generation, grant_id, client_id, origin, approval_seed, seal_private,
                tokens.generation, access, refresh, access_expires, refresh_state, identity_key
            FROM grants LEFT JOIN tokens ON tokens.id = grants.id
            """)
        guard let row = rows.first else { return nil }
        let generation = try row.integer(0)
        let tokenGeneration = try row.integer(6)
        guard
            let seed = seal.open(try row.blob(4), at: .approvalSeed(generation)),
            let approvalKey = ApprovalKey(seed: seed),
            let privateKey = seal.open(try row.blob(5), at: .sealPrivate(generation)),
            let sealKey = SealKey(privateKey: privateKey),
            let access = seal.open(try row.blob(7), at: .access(tokenGeneration)),
            let refresh = seal.open(try row.blob(8), at: .refresh(tokenGeneration)),
            let refreshState = RefreshState(rawValue: try row.text(10))
        else { throw .corrupt }
        let tokens = Tokens(
            access: access, refresh: refresh, accessExpiresAt: UnixTime(nanoseconds: try row.integer(9)))
        return StoredGrant(
            grantID: try row.text(1), clientID: try row.text(2), origin: try row.text(3), approvalKey: approvalKey,
            sealKey: sealKey, tokens: tokens, vaults: try vaults(from: connection), refreshState: refreshState,
            identityKey: try identityKey(row.optionalBlob(11), generation: generation, seal))
    }

    private static func vaults(from connection: SQLiteConnection) throws(SQLiteError) -> [Vault] {
        var vaults: [Vault] = []
        for row in try connection.rows("SELECT id, name, policy FROM vaults ORDER BY position") {
            guard let policy = Vault.Access(rawValue: try row.text(2)) else { throw .corrupt }
            vaults.append(Vault(id: try row.text(0), name: try row.text(1), policy: policy))
        }
        return vaults
    }
}
