import Core

/// `countersign wait`: goes on waiting for an ask that was made before.
enum WaitVerb {
    static let verb = Verb(
        ["wait"], "wait for an ask that was made before, as its caller", operands: ["ID"],
        options: [Option("--field", "NAME", "print this field alone, such as password"), AskVerb.wait, .json]
            + CallerDoor.options,
        notes: """
            Exit status 9 when nobody has answered in time. Ctrl-C ends the waiting alone: the ask lives on.
            A result is handed out until a minute after it was first read.

            """ + CallerDoor.notes,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let id = try AskVerb.id(arguments, verb: verb)
        let wait = try AskVerb.waiting(arguments, verb: verb)
        let gateway = try CallerDoor.open(arguments, verb: verb)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let ended = try await Signals.cancelling { () async throws(Failure) in
                do throws(Failure) {
                    let ask = try AskShown(try await gateway.send(.get, "/v1/requests/\(id)"))
                    return try await Asking(gateway: gateway, wait: wait).finish(ask)
                } catch {
                    guard error.status == .interrupted else { throw error }
                    throw Failure(.interrupted, "interrupted: the ask \(id) lives on")
                }
            }
            return try AskOutcome.show(ended, field: arguments.value("--field"), asJSON: arguments.has("--json"))
        }
    }
}
