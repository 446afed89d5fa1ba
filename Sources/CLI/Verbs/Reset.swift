import Core

/// `countersign reset`: forgets the grant here, without a word to MimiKey.
enum ResetVerb {
    static let verb = Verb(
        ["reset"], "forget the grant on this machine, without telling MimiKey",
        options: [.config, Option("--yes", flag: "do not ask")],
        notes:
            "At MimiKey the grant lives on until the person withdraws it there; `revoke` gives it back. Open asks end.",
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let gateway = try OperatorDoor.open(arguments)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            if !arguments.has("--yes") { try await confirm() }
            _ = try await gateway.send(.delete, "/admin/grant?local=true")
            Output.talk("the grant is forgotten here; `countersign authorize` asks for another")
            return .ok
        }
    }

    private static func confirm() async throws(Failure) {
        guard Terminal.canAsk else {
            throw Failure(
                .usage, "nobody can be asked whether the grant shall be forgotten", hint: "`--yes` says that it shall")
        }
        Output.talk("forget the grant, its keys and its tokens? MimiKey is not told. Type yes to go on")
        let line = try await Signals.cancelling { () async throws(Failure) in
            var lines = TypedLines()
            let line = await lines.next()
            if line == nil, Task.isCancelled { throw .interrupted }
            return line
        }
        guard line == Array("yes".utf8) else { throw Failure(.cancelled, "nothing was forgotten") }
    }
}
