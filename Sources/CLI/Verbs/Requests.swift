import Core

/// `countersign requests`: the caller's own asks.
enum RequestsVerb {
    static let verb = Verb(
        ["requests"], "list the caller's own asks, the newest first",
        options: [
            Option("--state", "STATE", "these alone: open, finished, or a state such as denied"),
            Option("--all", flag: "every one that is kept, not the newest 50 alone"), .json,
        ] + CallerDoor.options,
        notes: "One a line: id, state, operation, when it was made. Results are never listed.\n" + CallerDoor.notes,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let state = arguments.value("--state")
        if let state, state != "open", state != "finished", AskState(rawValue: state) == nil {
            throw .usage("`--state` is open, finished, or a state of an ask, such as denied", verb: verb)
        }
        let gateway = try CallerDoor.open(arguments, verb: verb)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let asks = try await fetch(state, all: arguments.has("--all"), gateway)
            if arguments.has("--json") {
                Output.result(
                    Array("{\"requests\":[".utf8) + asks.map(\.body).joined(separator: Array(",".utf8))
                        + Array("]}".utf8))
            } else {
                for ask in asks { Output.result(line(ask)) }
            }
            return .ok
        }
    }

    /// Page by page.
    private static func fetch(
        _ state: String?, all: Bool, _ gateway: GatewayClient
    ) async throws(Failure) -> [AskShown] {
        var asks: [AskShown] = []
        var cursor: String?
        repeat {
            let query = [state.map { "state=\($0)" }, all ? "limit=100" : nil, cursor.map { "cursor=\($0)" }]
                .compactMap(\.self).joined(separator: "&")
            let page = try AskShown.list(
                try await gateway.send(.get, "/v1/requests" + (query.isEmpty ? "" : "?\(query)")).value)
            asks += page.asks
            cursor = page.cursor
        } while all && cursor != nil
        return asks
    }

    private static func line(_ ask: AskShown) -> String {
        let state = ask.state.rawValue
        let blanks = String(repeating: " ", count: max(0, 9 - state.count))
        return "\(ask.id)  \(state)\(blanks)  \(ask.operation)  \(ask.createdAt)"
    }
}
