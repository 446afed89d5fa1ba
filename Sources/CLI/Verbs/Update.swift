import Core

/// `countersign update`: asks the person to let new values into an item.
enum UpdateVerb {
    static let verb = Verb(
        ["update"], "ask the person to change an item, as a caller", operands: ["VAULT", "ITEM"],
        options: [
            Option(
                "--set", "NAME=@FILE", repeats: true, "a new value from a file; NAME=- reads standard input, or asks"),
            Option(
                "--patch-file", "FILE", "a JSON object of new values, exactly as they shall be; `-` is standard input"),
        ] + AskVerb.optionsOfWriting,
        notes: """
            A value is never a word of the command line. One line end at the end of a file or of standard input is not
            part of it. Names are those that a pick shows, such as password or card_number.
            """ + "\n" + AskVerb.notes,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let sources = try PatchSources(arguments, verb: verb)
        var request = AskRequest(
            operation: .updateItem,
            members: [
                .init("vault_id", .string(arguments.operands[0])), .init("item_id", .string(arguments.operands[1])),
            ])
        request.patch = try await PatchText.read(sources)
        return try await AskVerb.run(request, arguments, verb: verb)
    }
}
