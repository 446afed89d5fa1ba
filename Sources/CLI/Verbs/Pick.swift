import Core

/// `countersign pick`: asks for an item as a caller does, and prints what came back.
enum PickVerb {
    static let verb = Verb(
        ["pick"], "ask the person for an item, as a caller",
        options: [
            Option("--url", "URL", "the site that it is for"),
            Option("--title", "TEXT", "the title that it may have"),
            Option("--kind", "KIND", "its kind, such as login"),
            Option("--vault", "ID", "the vault that it is in (else any; `countersign vaults` lists them)"),
        ] + AskVerb.options,
        notes: AskVerb.notes, run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let hint = AskRequest.object(
            "hint", [("--url", "url"), ("--title", "title"), ("--kind", "kind")], arguments)
        let request = AskRequest(operation: .pickItem, members: [hint].compactMap(\.self))
        return try await AskVerb.run(request, arguments, verb: verb)
    }
}
