/// The one error that leaves the house: rendered as `application/problem+json` (RFC 9457), as a log line, or as an
/// exit status.
package struct Problem: Error, Hashable, Sendable {
    /// Stable; what callers branch on.
    package let code: ErrorCode
    package var status: HTTPStatus
    /// One sentence about this occurrence. It never quotes what the caller or the server sent.
    package var detail: String
    package var retryable: Bool
    package var nextAction: NextAction
    /// Was anything read or written on the person's side?
    package var executed: Bool
    /// The ask that this is about.
    package var askID: AskID?
    /// What stands behind it, where that has a code of its own: of an `expired`, how the last look at MimiKey ended. It is
    /// not part of the document.
    package var cause: ErrorCode?
    /// For `Retry-After`; rounded up to whole seconds on the wire.
    package var retryAfter: Duration?

    /// Status, title, `retryable` and `nextAction` come from the catalogue unless they are given.
    package init(
        _ code: ErrorCode, _ detail: String, status: HTTPStatus? = nil, retryable: Bool? = nil,
        nextAction: NextAction? = nil, executed: Bool = false, askID: AskID? = nil, cause: ErrorCode? = nil,
        retryAfter: Duration? = nil
    ) {
        let entry = ErrorCatalogue.entry(for: code)
        self.code = code
        self.detail = detail
        self.status = status ?? entry.status
        self.retryable = retryable ?? entry.retryable
        self.nextAction = nextAction ?? entry.nextAction
        self.executed = executed
        self.askID = askID
        self.cause = cause
        self.retryAfter = retryAfter
    }

    /// The catalogue's short name of the code.
    package var title: String { ErrorCatalogue.entry(for: code).title }

    /// The members of the `application/problem+json` document.
    package func json(traceID: String?) -> JSON {
        .object([
            .init("type", "about:blank"),
            .init("error", .string(code.rawValue)),
            .init("title", .string(title)),
            .init("status", .integer(Int64(status.code))),
            .init("detail", .string(detail)),
            .init("retryable", .bool(retryable)),
            .init("next_action", .string(nextAction.rawValue)),
            .init("executed", .bool(executed)),
            .init("ask_id", .text(askID?.rawValue)),
            .init("trace_id", .text(traceID)),
        ])
    }
}
