import Core

/// `countersign create`: asks the person to make a new item; what goes into it is theirs to say.
enum CreateVerb {
    static let verb = Verb(
        ["create"], "ask the person to make a new item, as a caller",
        options: [
            Option("--kind", "KIND", "what it shall be, such as login (must be there)"),
            Option("--vault", "ID", "the vault that it goes to (`countersign vaults` lists them)"),
            Option("--url", "URL", "the site that it is for"),
            Option("--title", "TEXT", "the title that is proposed"),
            Option("--username", "NAME", "the user name that is proposed"),
        ] + AskVerb.options,
        notes: AskVerb.notes, run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        guard let kind = arguments.value("--kind") else { throw .usage("`--kind` is missing", verb: verb) }
        let prefill = AskRequest.object(
            "prefill", [("--title", "title"), ("--url", "url"), ("--username", "username_hint")], arguments)
        let request = AskRequest(
            operation: .createItem, members: [.init("kind", .string(kind))] + [prefill].compactMap(\.self))
        return try await AskVerb.run(request, arguments, verb: verb)
    }
}
