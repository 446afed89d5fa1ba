import Core

/// Asks in the table `asks`.
enum AskRecords {
    static func save(_ ask: Ask, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO asks (id, caller, op, state, created, expires, upstream_id, call, open_url, callback_state,
                deny_reason, error, finished, delivered)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            ON CONFLICT (id) DO UPDATE SET caller = ?2, op = ?3, state = ?4, created = ?5, expires = ?6,
                upstream_id = ?7, call = ?8, open_url = ?9, callback_state = ?10, deny_reason = ?11, error = ?12,
                finished = ?13, delivered = ?14
            """,
            [
                .text(ask.id.rawValue), .text(ask.call.caller.rawValue), .text(ask.call.op.rawValue),
                .text(ask.state.rawValue), .integer(ask.createdAt.nanoseconds),
                .integer(orNull: ask.expiresAt?.nanoseconds), .text(orNull: ask.upstreamID),
                .text(String(decoding: CallText.json(of: ask.call).encoded(), as: UTF8.self)),
                .text(orNull: ask.openURL), .text(ask.callbackState), .text(orNull: ask.denyReason),
                .text(orNull: ask.error?.rawValue), .integer(orNull: ask.finishedAt?.nanoseconds),
                .integer(orNull: ask.deliveredAt?.nanoseconds),
            ])
    }

    static func find(_ id: AskID, in connection: SQLiteConnection) throws(SQLiteError) -> Ask? {
        let rows = try connection.rows(
            """
            SELECT id, caller, op, state, created, expires, upstream_id, call, open_url, callback_state, deny_reason,
                error, finished, delivered
            FROM asks WHERE id = ?1
            """, [.text(id.rawValue)])
        guard let row = rows.first else { return nil }
        return try ask(from: row)
    }

    /// Unfinished ones, and completed ones that were never completely delivered; in the order of their first writing.
    static func open(in connection: SQLiteConnection) throws(SQLiteError) -> [Ask] {
        var asks: [Ask] = []
        let rows = try connection.rows(
            """
            SELECT id, caller, op, state, created, expires, upstream_id, call, open_url, callback_state, deny_reason,
                error, finished, delivered
            FROM asks
            WHERE state IN ('draft', 'pending', 'approved') OR (state = 'completed' AND delivered IS NULL)
            ORDER BY sequence
            """)
        for row in rows { asks.append(try ask(from: row)) }
        return asks
    }

    static func failed(
        with error: ErrorCode, since time: UnixTime, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [Ask] {
        var asks: [Ask] = []
        let rows = try connection.rows(
            """
            SELECT id, caller, op, state, created, expires, upstream_id, call, open_url, callback_state, deny_reason,
                error, finished, delivered
            FROM asks WHERE finished >= ?1 AND state = 'failed' AND error = ?2 ORDER BY sequence
            """, [.integer(time.nanoseconds), .text(error.rawValue)])
        for row in rows { asks.append(try ask(from: row)) }
        return asks
    }

    static func forget(finishedBefore time: UnixTime, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run("DELETE FROM asks WHERE finished < ?1", [.integer(time.nanoseconds)])
    }

    private static func ask(from row: SQLiteRow) throws(SQLiteError) -> Ask {
        guard
            let id = AskID(try row.text(0)), let caller = CallerName(try row.text(1)),
            let op = Operation(rawValue: try row.text(2)), let state = AskState(rawValue: try row.text(3)),
            let call = CallText.call(from: try row.text(7), caller: caller, op: op)
        else { throw .corrupt }
        return Ask(
            id: id, call: call, createdAt: UnixTime(nanoseconds: try row.integer(4)),
            upstreamID: try row.optionalText(6), state: state,
            expiresAt: try row.optionalInteger(5).map(UnixTime.init(nanoseconds:)), openURL: try row.optionalText(8),
            callbackState: try row.text(9), denyReason: try row.optionalText(10),
            error: try row.optionalText(11).map(ErrorCode.init),
            finishedAt: try row.optionalInteger(12).map(UnixTime.init(nanoseconds:)),
            deliveredAt: try row.optionalInteger(13).map(UnixTime.init(nanoseconds:)))
    }
}
