/// What the words of a command line ask for.
enum Invocation: Sendable {
    case help(String)
    case run(Verb, Arguments)

    /// The verb is the longest entry of the table that the words begin with. Unknown words and options are refused.
    init(_ words: [String]) throws(Failure) {
        // Before anything is said that repeats a word.
        if words.contains(where: \.holdsCallerToken) {
            throw Failure(
                .usage, "a caller's token stands on the command line, where every user of this machine can read it",
                hint: "withdraw it, and hand the next one over by `--token-file FILE` or, with `-`, on standard input")
        }
        guard let first = words.first else { throw .usage("a verb is missing") }
        if first == "--help" || first == "-h" || first == "help" {
            self = .help(Help.overview)
            return
        }
        if first == "--version" {
            self = .run(VersionVerb.verb, Arguments())
            return
        }
        let candidates = Verb.all.filter { words.starts(with: $0.words) }
        guard let verb = candidates.max(by: { $0.words.count < $1.words.count }) else {
            let group = Verb.all.filter { $0.words.first == first }.map { $0.words.joined(separator: " ") }
            if !group.isEmpty {
                if words.dropFirst().first == "--help" || words.dropFirst().first == "-h" {
                    self = .help(Help.overview)
                    return
                }
                throw .usage("`\(first)` needs another word: \(group.map { "`\($0)`" }.joined(separator: ", "))")
            }
            throw .usage("there is no verb `\(first.shownOnTerminal)`")
        }
        let rest = Array(words.dropFirst(verb.words.count))
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            self = .help(Help.text(for: verb))
            return
        }
        self = .run(verb, try Self.arguments(of: verb, rest))
    }

    private static func arguments(of verb: Verb, _ words: [String]) throws(Failure) -> Arguments {
        var arguments = Arguments()
        var rest = words[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if onlyOperands || !word.hasPrefix("-") || word == "-" {
                arguments.operands.append(word)
                continue
            }
            if word == "--" {
                onlyOperands = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = verb.options.first(where: { $0.name == parts[0] }) else {
                throw .usage(
                    "`\(verb.words.joined(separator: " "))` has no option `\(parts[0].shownOnTerminal)`", verb: verb)
            }
            if arguments.has(option.name), !option.repeats {
                throw .usage("`\(option.name)` stands there twice", verb: verb)
            }
            switch (option.value, parts.count) {
            case (nil, 1): arguments.add("", to: option)
            case (nil, _) where option.mayTake != nil: arguments.add(parts[1], to: option)
            case (nil, _): throw .usage("`\(option.name)` takes no value", verb: verb)
            case (_?, 2): arguments.add(parts[1], to: option)
            case (let name?, _):
                guard let value = rest.popFirst() else {
                    throw .usage("`\(option.name)` needs its \(name)", verb: verb)
                }
                arguments.add(value, to: option)
            }
        }
        if arguments.operands.count < verb.operands.count {
            throw .usage("\(verb.operands[arguments.operands.count]) is missing", verb: verb)
        }
        if arguments.operands.count > verb.operands.count {
            // What stands behind `=` may be a secret that was meant for an option.
            let word = arguments.operands[verb.operands.count].prefix { $0 != "=" }
            throw .usage("`\(String(word).shownOnTerminal)` is one word too many", verb: verb)
        }
        return arguments
    }
}
