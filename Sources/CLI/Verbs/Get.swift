import Core

/// `countersign get`: asks for an item whose id is known.
enum GetVerb {
    static let verb = Verb(
        ["get"], "ask the person for one item by its id, as a caller", operands: ["VAULT", "ITEM"],
        options: AskVerb.options,
        notes: "VAULT and ITEM are ids, as `pick --json` and `vaults` tell them.\n" + AskVerb.notes,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let request = AskRequest(
            operation: .getItem,
            members: [
                .init("vault_id", .string(arguments.operands[0])), .init("item_id", .string(arguments.operands[1])),
            ])
        return try await AskVerb.run(request, arguments, verb: verb)
    }
}
