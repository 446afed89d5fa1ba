import Core

/// Where the new values of an update come from. None of them is a word of the command line.
enum PatchSources: Sendable {
    enum Source: Hashable, Sendable {
        case file(String)
        case standardInput
    }

    /// One value each.
    case values([(name: String, source: Source)])
    /// A JSON object with all of them.
    case whole(Source)

    /// The most members of a patch (MimiKey v3, section 5).
    private static let most = 32

    init(_ arguments: Arguments, verb: Verb) throws(Failure) {
        let words = arguments.values("--set")
        if let file = arguments.value("--patch-file") {
            guard words.isEmpty else { throw .usage("`--set` and `--patch-file` do not go together", verb: verb) }
            self = .whole(file == "-" ? .standardInput : .file(file))
        } else {
            guard !words.isEmpty else { throw .usage("`--set` or `--patch-file` is missing", verb: verb) }
            guard words.count <= Self.most else { throw .usage("at most \(Self.most) values can be set", verb: verb) }
            var values: [(name: String, source: Source)] = []
            for word in words {
                let value = try Self.value(word, verb)
                if values.contains(where: { $0.name == value.name }) {
                    throw .usage("`\(value.name)` is set twice", verb: verb)
                }
                values.append(value)
            }
            self = .values(values)
        }
        let readers = readersOfStandardInput + (CallerDoor.takesStandardInput(arguments) ? 1 : 0)
        if readers > 1 { throw .usage("standard input can be read for one thing only", verb: verb) }
    }

    /// `NAME=@FILE` or `NAME=-`. Nothing else of the word is ever repeated: it may be a secret.
    private static func value(_ word: String, _ verb: Verb) throws(Failure) -> (name: String, source: Source) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, FieldName.isValid(parts[0]) else {
            throw .usage("`--set` is NAME=@FILE or NAME=-, with a name such as `password`", verb: verb)
        }
        if parts[1] == "-" { return (parts[0], .standardInput) }
        guard parts[1].hasPrefix("@"), parts[1].count > 1 else {
            throw Failure(
                .usage,
                "a value for `\(parts[0])` stands on the command line, where every user of this machine can read it",
                hint: "`--set \(parts[0])=@FILE` reads it from a file, `--set \(parts[0])=-` from standard input")
        }
        return (parts[0], .file(String(parts[1].dropFirst())))
    }

    private var readersOfStandardInput: Int {
        switch self {
        case .values(let values): values.count { $0.source == .standardInput }
        case .whole(let source): source == .standardInput ? 1 : 0
        }
    }
}
