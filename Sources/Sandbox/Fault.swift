import Core

/// One misbehaviour, for the next call to a path.
struct Fault: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The call is carried out, then the connection closes without a complete answer.
        case closeBeforeAnswer
        /// The call is not carried out, and the connection closes without an answer.
        case closeBeforeDeed
        /// The call is carried out, then half of the answer's body comes.
        case truncate
        /// The call is not carried out; this is answered.
        case answer(Reply)
        /// The call is carried out; the answer comes late.
        case delay(Duration)
    }

    /// How many may wait.
    static let limit = 100
    static let longestDelay: Int64 = 60_000

    /// A path as sent, or a pattern with `{id}`; `nil` is any call of the API.
    let path: String?
    let kind: Kind

    /// `{"name","path"?,"status"?,"error"?,"text"?,"retry_after"?,"ms"?}`; the names are `close_before_deed_next`,
    /// `close_before_answer_next`, `truncate_next`, `status_next`, `delay_next`.
    init(_ body: JSONValue) throws(Refusal) {
        path = try body.text("path", orRefuse: .invalidInput)
        switch try body.text("name", orRefuse: .invalidInput) {
        case "close_before_answer_next": kind = .closeBeforeAnswer
        case "close_before_deed_next": kind = .closeBeforeDeed
        case "truncate_next": kind = .truncate
        case "status_next":
            guard let status = body["status"]?.integer, (200...599).contains(status) else { throw .invalidInput }
            if let code = try body.text("error", orRefuse: .invalidInput) {
                guard Fault.isCode(code) else { throw .invalidInput }
                kind = .answer(try Fault.after(body, Reply(Refusal(Int(status), code))))
            } else {
                let text = try body.text("text", orRefuse: .invalidInput) ?? "<html>sandbox</html>"
                kind = .answer(try Fault.after(body, Reply(status: Int(status), text: text)))
            }
        case "delay_next":
            guard let delay = body["ms"]?.integer, (0...Fault.longestDelay).contains(delay) else {
                throw .invalidInput
            }
            kind = .delay(.milliseconds(delay))
        default: throw .invalidInput
        }
    }

    /// With `Retry-After`, where that is asked for.
    private static func after(_ body: JSONValue, _ reply: Reply) throws(Refusal) -> Reply {
        guard let value = body["retry_after"] else { return reply }
        guard let seconds = value.integer, (0...86_400).contains(seconds) else { throw .invalidInput }
        var reply = reply
        reply.fields.append("retry-after", String(seconds))
        return reply
    }

    /// Codes are small words, so that they may stand in a log.
    private static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") }
    }

    func matches(_ call: APICall) -> Bool {
        guard let path else { return true }
        return path == call.path || path == Route(path: call.path)?.pattern
    }
}
