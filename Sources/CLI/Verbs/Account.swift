import Core

/// `countersign account`: whose account the grant is for.
enum AccountVerb {
    static let verb = Verb(
        ["account"], "print the id of the account that the grant is for", options: [.json] + CallerDoor.options,
        notes: CallerDoor.notes, run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let gateway = try CallerDoor.open(arguments, verb: verb)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let answer = try await gateway.send(.get, "/v1/account")
            guard let id = answer.value["account_id"]?.string else {
                throw Failure(.failure, "what answered is no Countersign: it told no account")
            }
            if arguments.has("--json") { Output.result(answer.body) } else { Output.result(id.shownOnTerminal) }
            return .ok
        }
    }
}
