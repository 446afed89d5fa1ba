/// A value of a column.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// `null` for `nil`.
    static func text(orNull text: String?) -> SQLiteValue { text.map(SQLiteValue.text) ?? .null }
    static func integer(orNull integer: Int64?) -> SQLiteValue { integer.map(SQLiteValue.integer) ?? .null }
}

/// One row that was read.
struct SQLiteRow: Hashable, Sendable {
    let values: [SQLiteValue]

    func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        guard case .integer(let value) = values[column] else { throw .mismatch }
        return value
    }

    func text(_ column: Int) throws(SQLiteError) -> String {
        guard case .text(let value) = values[column] else { throw .mismatch }
        return value
    }

    func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
        guard case .blob(let value) = values[column] else { throw .mismatch }
        return value
    }

    func isNull(_ column: Int) -> Bool { values[column] == .null }

    func optionalBlob(_ column: Int) throws(SQLiteError) -> [UInt8]? {
        isNull(column) ? nil : try blob(column)
    }

    func optionalInteger(_ column: Int) throws(SQLiteError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    func optionalText(_ column: Int) throws(SQLiteError) -> String? {
        isNull(column) ? nil : try text(column)
    }
}
