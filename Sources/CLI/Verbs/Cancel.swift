import Core

/// `countersign cancel`: takes an ask back.
enum CancelVerb {
    static let verb = Verb(
        ["cancel"], "take an ask back, as its caller", operands: ["ID"], options: [.json] + CallerDoor.options,
        notes: "Prints the state that it ended in; one that had ended before stays as it is.\n" + CallerDoor.notes,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let id = try AskVerb.id(arguments, verb: verb)
        let gateway = try CallerDoor.open(arguments, verb: verb)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let ask = try AskShown(try await gateway.send(.delete, "/v1/requests/\(id)"))
            AskVerb.show(ask, arguments)
            return .ok
        }
    }
}
