import Core

/// An ask as the gateway shows it to its caller.
struct AskShown: Sendable {
    let id: AskID
    let state: AskState
    /// What the gateway sent, byte for byte.
    let body: [UInt8]
    private let value: JSONValue

    init(_ answer: GatewayClient.Answer) throws(Failure) { try self.init(answer.value, body: answer.body) }

    /// Out of an event.
    init(json: [UInt8]) throws(Failure) {
        guard let value = try? JSONDocument(json).root else { throw Self.none }
        try self.init(value, body: json)
    }

    /// Throws for what is no ask.
    private init(_ value: JSONValue, body: [UInt8]) throws(Failure) {
        guard let id = value["id"]?.string.flatMap({ AskID($0) }),
            let state = value["state"]?.string.flatMap({ AskState(rawValue: $0) })
        else { throw Self.none }
        self.id = id
        self.state = state
        self.body = body
        self.value = value
    }

    private static let none = Failure(.failure, "what answered is no Countersign: it gave no ask")

    var path: String { "/v1/requests/\(id)" }
    var operation: String { (value["op"]?.string ?? "").shownOnTerminal }
    var createdAt: String { (value["created_at"]?.string ?? "").shownOnTerminal }
    /// What the person has to open; `nil` when there is nothing to open, or not yet.
    var link: Link? {
        value["open_url"]?.string.flatMap { $0.hasPrefix("mimikey://") ? Link(url: $0.shownOnTerminal) : nil }
    }
    var openError: String? { value["open_error"]?.string?.shownOnTerminal }
    var downloadURL: String? { value["download_url"]?.string?.shownOnTerminal }
    /// For the person, without full stop.
    var message: String? { value["message"]?.string?.asTalk }
    var error: ErrorCode? { value["error"]?.string.map { ErrorCode($0) } }
    var nextAction: NextAction? { value["next_action"]?.string.flatMap { NextAction(rawValue: $0) } }
    /// The request found it there: no card was made.
    var isJoined: Bool { value["joined"]?.bool ?? false }
    /// The item changed elsewhere, so that nobody said no.
    var isConflict: Bool { value["deny_reason"]?.string == "conflict" }
    /// Who asks, where the operator looks.
    var caller: String? { value["caller"]?.string?.shownOnTerminal }
    var result: JSONValue? { value["result"].flatMap { $0.isNull ? nil : $0 } }
}

extension AskShown {
    /// The asks of a list, and where it goes on.
    static func list(_ value: JSONValue) throws(Failure) -> (asks: [AskShown], cursor: String?) {
        var asks: [AskShown] = []
        for element in value["requests"]?.elements ?? [] { asks.append(try AskShown(element, body: element.raw)) }
        return (asks, value["next_cursor"]?.string)
    }
}
