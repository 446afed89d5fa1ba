import Core

/// One misbehaviour, for the next call to a path.
struct Fault: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The call is carried out, then the connection closes without a complete answer.
        case closeBeforeAnswer
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

    /// `{"name":"close_before_answer_next"|"status_next"|"delay_next","path"?,"status"?,"error"?,"text"?,"ms"?}`
    init(_ body: JSONValue) throws(Refusal) {
        path = try body.text("path", orRefuse: .invalidInput)
        switch try body.text("name", orRefuse: .invalidInput) {
        case "close_before_answer_next": kind = .closeBeforeAnswer
        case "status_next":
            guard let status = body["status"]?.integer, (200...599).contains(status) else { throw .invalidInput }
            if let code = try body.text("error", orRefuse: .invalidInput) {
                guard Fault.isCode(code) else { throw .invalidInput }
                kind = .answer(Reply(Refusal(Int(status), code)))
            } else {
                let text = try body.text("text", orRefuse: .invalidInput) ?? "<html>sandbox</html>"
                kind = .answer(Reply(status: Int(status), text: text))
            }
        case "delay_next":
            guard let delay = body["ms"]?.integer, (0...Fault.longestDelay).contains(delay) else {
                throw .invalidInput
            }
            kind = .delay(.milliseconds(delay))
        default: throw .invalidInput
        }
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

/// What is answered, and with what manners.
struct Outcome: Hashable, Sendable {
    enum Manner: Hashable, Sendable {
        case prompt
        case late(Duration)
        /// Not at all.
        case cut
    }

    let reply: Reply
    var manner = Manner.prompt
}

extension World {
    /// Answers one call, with the fault that waits for it.
    mutating func receive(_ call: APICall, at now: UnixTime) -> Outcome {
        guard let index = faults.firstIndex(where: { $0.matches(call) }) else {
            return Outcome(reply: answer(call, at: now))
        }
        switch faults.remove(at: index).kind {
        case .closeBeforeAnswer: return Outcome(reply: answer(call, at: now), manner: .cut)
        case .delay(let delay): return Outcome(reply: answer(call, at: now), manner: .late(delay))
        case .answer(let reply):
            if let route = Route(path: call.path), route.method == call.method { stats.saw(route) }
            return Outcome(reply: reply)
        }
    }
}
