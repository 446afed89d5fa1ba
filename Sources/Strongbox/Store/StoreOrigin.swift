import Core

/// Tells a state directory from its copy.
///
/// The database knows which file it lay in last. In another file it is a copy, or was restored: the refresh token in it may
/// have been spent since, so it is not offered by itself any more.
enum StoreOrigin {
    /// Which file it is, whatever it is called and wherever it is mounted. The device's number says nothing: another start of
    /// the machine may give it to another disk.
    struct File: Hashable, Sendable {
        let inode: Int64
        /// Where it is kept it decides alone, as a number may be used again.
        let birth: Int64?

        func isSame(as other: File) -> Bool {
            guard let birth, let otherBirth = other.birth else { return inode == other.inode }
            return birth == otherBirth
        }
    }

    /// Compares with what the database knows, and writes down where it lies now.
    static func note(_ file: File, in connection: SQLiteConnection) throws(SQLiteError) {
        let row = try connection.row("SELECT inode, birth FROM store")
        let known = try row.optionalInteger(0).map { inode throws(SQLiteError) in
            File(inode: inode, birth: try row.optionalInteger(1))
        }
        if known == file { return }
        try connection.transaction { () throws(SQLiteError) in
            if let known, !known.isSame(as: file), try GrantRecords.save(.unknown, in: connection) {
                try connection.run("UPDATE store SET copied = 1")
            }
            try connection.run(
                "UPDATE store SET inode = ?1, birth = ?2", [.integer(file.inode), .integer(orNull: file.birth)])
        }
    }

    /// Was a grant found in a copy, and its tokens not renewed since?
    static func isCopied(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.row("SELECT copied FROM store").integer(0) == 1
    }
}
