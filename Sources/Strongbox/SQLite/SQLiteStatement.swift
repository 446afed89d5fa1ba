import CSQLite

/// One prepared statement, finalised when it goes.
struct SQLiteStatement: ~Copyable {
    private let handle: OpaquePointer

    init(_ sql: StaticString, in connection: OpaquePointer) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v2(connection, sql.description, -1, &prepared, nil)
        guard status == SQLITE_OK, let prepared else { throw SQLiteError(code: status) }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Values for `?1`, `?2` and so on.
    func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        precondition(values.count == Int(sqlite3_bind_parameter_count(handle)), "a value for each parameter")
        // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
        let copying = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
        var index: Int32 = 0
        for value in values {
            index += 1
            let status =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
                case .text(let text):
                    Array(text.utf8).withUnsafeBytes { bytes in
                        sqlite3_bind_text64(
                            handle, index, bytes.bindMemory(to: CChar.self).baseAddress ?? UnsafePointer(Self.nothing),
                            UInt64(bytes.count), copying, UInt8(SQLITE_UTF8))
                    }
                case .blob(let blob):
                    blob.withUnsafeBytes { bytes in
                        sqlite3_bind_blob64(
                            handle, index, bytes.baseAddress ?? UnsafeRawPointer(Self.nothing), UInt64(bytes.count),
                            copying)
                    }
                }
            if status != SQLITE_OK { throw SQLiteError(code: status) }
        }
    }

    func rows() throws(SQLiteError) -> [SQLiteRow] {
        var rows: [SQLiteRow] = []
        while true {
            let status = sqlite3_step(handle)
            switch status {
            case SQLITE_ROW:
                var values: [SQLiteValue] = []
                for column in 0..<sqlite3_column_count(handle) { values.append(value(column)) }
                rows.append(SQLiteRow(values: values))
            case SQLITE_DONE: return rows
            default: throw SQLiteError(code: status)
            }
        }
    }

    private func value(_ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT: .text(String(decoding: bytes(sqlite3_column_text(handle, column), column), as: UTF8.self))
        case SQLITE_BLOB: .blob(Array(bytes(sqlite3_column_blob(handle, column), column)))
        // No column of ours holds a floating-point number.
        default: .null
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    /// A null pointer would bind NULL where empty text is meant.
    nonisolated(unsafe) private static let nothing = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
}
