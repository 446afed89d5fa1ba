import Core

/// `countersign retry`: shows the card of an ask once more.
enum RetryVerb {
    static let verb = Verb(
        ["retry"], "open MimiKey once more for an ask, and look at once, as its caller", operands: ["ID"],
        options: [.json] + CallerDoor.options,
        notes: "Prints the state. At most once in 10 seconds for an ask.\n" + CallerDoor.notes, run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let id = try AskVerb.id(arguments, verb: verb)
        let gateway = try CallerDoor.open(arguments, verb: verb)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let ask = try AskShown(try await gateway.send(.post, "/v1/requests/\(id)/retry"))
            if !ask.state.isFinished, let message = ask.message { Output.talk(message) }
            AskVerb.show(ask, arguments)
            ask.link?.draw()
            return .ok
        }
    }
}
