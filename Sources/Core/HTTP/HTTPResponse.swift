/// An answer, before the server adds what is its own business (`Date`, `Connection`, the framing fields).
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: ResponseBody
    /// The body is not the one that GET would get, because that one was not made: HEAD is told no length then (RFC 9110,
    /// section 9.3.2).
    package var standsInForHead = false
    /// Only where a server plays a bad one.
    package var mischief = Mischief()
    /// Called once when the answer is over: `true` when its last byte was handed to the kernel without an error.
    package var delivered: (@Sendable (_ complete: Bool) -> Void)?

    package init(
        status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: ResponseBody = .none,
        delivered: (@Sendable (_ complete: Bool) -> Void)? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.delivered = delivered
    }
}

package enum ResponseBody: Sendable {
    case none
    case bytes([UInt8])
    /// Written with `Content-Length`; the server wipes it, and every buffer that it passed through, afterwards.
    case sensitive(any SensitiveBytes)
    /// Written chunk by chunk as the closure produces it. A thrown error cuts the body short, visibly.
    case stream(@Sendable (any BodyWriter) async throws -> Void)
}

/// Where a streamed body is written to. `write` returns when the bytes were taken; it throws when the peer is gone.
package protocol BodyWriter: Sendable {
    func write(_ bytes: [UInt8]) async throws
}
