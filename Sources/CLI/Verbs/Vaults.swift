import Core

/// `countersign vaults`: the vaults that the caller's rules can reach.
enum VaultsVerb {
    static let verb = Verb(
        ["vaults"], "list the vaults that the caller's rules can reach", options: [.json] + CallerDoor.options,
        notes: "One a line: id, `ask` or `trust`, name.\n" + CallerDoor.notes, run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let gateway = try CallerDoor.open(arguments, verb: verb)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let answer = try await gateway.send(.get, "/v1/vaults")
            if arguments.has("--json") {
                Output.result(answer.body)
                return .ok
            }
            for vault in answer.value["vaults"]?.elements ?? [] {
                let parts = ["id", "policy", "name"].map { (vault[$0]?.string ?? "").shownOnTerminal }
                Output.result(parts.joined(separator: "  "))
            }
            return .ok
        }
    }
}
