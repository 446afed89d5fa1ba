import Core

/// Asks in the table `asks`.
enum AskRecords {
    static func save(_ ask: Ask, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO asks (id, caller, op, state, created, expires, upstream_id, call, open_url, callback_state,
                deny_reason, error, finished, delivered, grant_id, updated_item, updated_revision, saved_out_of_scope,
                forgiven)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
            ON CONFLICT (id) DO UPDATE SET caller = ?2, op = ?3, state = ?4, created = ?5, expires = ?6,
                upstream_id = ?7, call = ?8, open_url = ?9, callback_state = ?10, deny_reason = ?11, error = ?12,
                finished = ?13, delivered = ?14, grant_id = ?15, updated_item = ?16, updated_revision = ?17,
                saved_out_of_scope = ?18, forgiven = ?19
            """,
            [
                .text(ask.id.rawValue), .text(ask.call.caller.rawValue), .text(ask.call.op.rawValue),
                .text(ask.state.rawValue), .integer(ask.createdAt.nanoseconds),
                .integer(orNull: ask.expiresAt?.nanoseconds), .text(orNull: ask.upstreamID),
                .text(String(decoding: CallText.json(of: ask.call).encoded(), as: UTF8.self)),
                .text(orNull: ask.openURL), .text(ask.callbackState), .text(orNull: ask.denyReason),
                .text(orNull: ask.error?.rawValue), .integer(orNull: ask.finishedAt?.nanoseconds),
                .integer(orNull: ask.deliveredAt?.nanoseconds), .text(orNull: ask.grantID),
                .text(orNull: ask.updatedItem?.itemID), .integer(orNull: ask.updatedItem?.revision),
                .integer(ask.isSavedOutOfScope ? 1 : 0), .integer(ask.isForgiven ? 1 : 0),
            ])
    }

    static func find(_ id: AskID, in connection: SQLiteConnection) throws(SQLiteError) -> Ask? {
        try asks(connection.rows("SELECT * FROM asks WHERE id = ?1", [.text(id.rawValue)])).first
    }

    /// The last one that MimiKey gave this id for.
    static func find(upstreamID: String, in connection: SQLiteConnection) throws(SQLiteError) -> Ask? {
        try asks(
            connection.rows(
                "SELECT * FROM asks WHERE upstream_id = ?1 ORDER BY sequence DESC LIMIT 1", [.text(upstreamID)])
        ).first
    }

    /// Unfinished ones, and completed ones that were never completely delivered; in the order of their first writing.
    static func open(in connection: SQLiteConnection) throws(SQLiteError) -> [Ask] {
        try asks(
            connection.rows(
                """
                SELECT * FROM asks
                WHERE state IN ('draft', 'pending', 'approved') OR (state = 'completed' AND delivered IS NULL)
                ORDER BY sequence
                """))
    }

    /// Denied ones, and failed ones with that error.
    static func refused(
        or error: ErrorCode, since time: UnixTime, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [Ask] {
        try asks(
            connection.rows(
                """
                SELECT * FROM asks
                WHERE finished >= ?1 AND (state = 'denied' OR (state = 'failed' AND error = ?2)) ORDER BY sequence
                """, [.integer(time.nanoseconds), .text(error.rawValue)]))
    }

    /// Newest first; of everybody when no caller is given. `before`: only what was written for the first time before that one.
    static func page(
        of caller: CallerName?, before id: AskID?, finishedSince time: UnixTime, limit: Int,
        in connection: SQLiteConnection
    ) throws(SQLiteError) -> [Ask] {
        try asks(
            connection.rows(
                caller == nil ? pageOfAll : pageOfOne,
                [
                    .text(orNull: caller?.rawValue), .integer(time.nanoseconds), .text(orNull: id?.rawValue),
                    .integer(Int64(limit)),
                ]))
    }

    // Two statements, so that each has an index to walk.
    private static let pageOfOne: StaticString = """
        SELECT * FROM asks
        WHERE caller = ?1 AND (finished IS NULL OR finished >= ?2)
            AND (?3 IS NULL OR sequence < (SELECT sequence FROM asks WHERE id = ?3 AND caller = ?1))
        ORDER BY sequence DESC LIMIT ?4
        """
    private static let pageOfAll: StaticString = """
        SELECT * FROM asks
        WHERE ?1 IS NULL AND (finished IS NULL OR finished >= ?2)
            AND (?3 IS NULL OR sequence < (SELECT sequence FROM asks WHERE id = ?3))
        ORDER BY sequence DESC LIMIT ?4
        """

    static func forget(finishedBefore time: UnixTime, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run("DELETE FROM asks WHERE finished < ?1", [.integer(time.nanoseconds)])
    }

    private static func asks(_ rows: [SQLiteRow]) throws(SQLiteError) -> [Ask] {
        var asks: [Ask] = []
        for row in rows { asks.append(try ask(from: row)) }
        return asks
    }

    /// The columns in the order in which the tables and their migrations made them.
    private static func ask(from row: SQLiteRow) throws(SQLiteError) -> Ask {
        guard
            let id = AskID(try row.text(1)), let caller = CallerName(try row.text(2)),
            let op = Operation(rawValue: try row.text(3)), let state = AskState(rawValue: try row.text(4)),
            let call = CallText.call(from: try row.text(8), caller: caller, op: op)
        else { throw .corrupt }
        var updated: UpdatedItem?
        if let item = try row.optionalText(16), let revision = try row.optionalInteger(17) {
            updated = UpdatedItem(itemID: item, revision: revision)
        }
        return Ask(
            id: id, call: call, createdAt: UnixTime(nanoseconds: try row.integer(5)),
            grantID: try row.optionalText(15), upstreamID: try row.optionalText(7), state: state,
            expiresAt: try row.optionalInteger(6).map(UnixTime.init(nanoseconds:)), openURL: try row.optionalText(9),
            callbackState: try row.text(10), denyReason: try row.optionalText(11),
            error: try row.optionalText(12).map(ErrorCode.init),
            finishedAt: try row.optionalInteger(13).map(UnixTime.init(nanoseconds:)),
            deliveredAt: try row.optionalInteger(14).map(UnixTime.init(nanoseconds:)), updatedItem: updated,
            isSavedOutOfScope: try row.integer(18) == 1, isForgiven: try row.integer(19) == 1)
    }
}
