import Core

/// `countersign forgive`: lets an ask be asked again that was refused a moment ago.
enum ForgiveVerb {
    static let verb = Verb(
        ["forgive"], "let an ask be asked again that was refused, or whose outcome is unknown", operands: ["ID"],
        options: [.config, .json],
        notes: "Such an ask is remembered for 10 minutes, and makes no second card in that time.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let id = try AskVerb.id(arguments, verb: verb)
        let gateway = try OperatorDoor.open(arguments)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let ask = try AskShown(try await gateway.send(.post, "/admin/requests/\(id)/forgive"))
            if arguments.has("--json") { Output.result(ask.body) }
            Output.talk("\(ask.caller ?? "the caller") may ask for the same thing again")
            return .ok
        }
    }
}
