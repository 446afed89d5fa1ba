import Core

/// Something that `countersign` can be told to do. The table of verbs is data: help and parsing follow from it.
struct Verb: Sendable {
    /// `["caller", "new"]` for `countersign caller new`.
    let words: [String]
    /// One line, without full stop.
    let summary: String
    /// The names of what must follow, such as `NAME`.
    let operands: [String]
    let options: [Option]
    /// What `--help` adds below the options; may be empty.
    let notes: String
    let run: @Sendable (Arguments) async throws(Failure) -> ExitStatus

    init(
        _ words: [String], _ summary: String, operands: [String] = [], options: [Option] = [], notes: String = "",
        run: @escaping @Sendable (Arguments) async throws(Failure) -> ExitStatus
    ) {
        self.words = words
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
        self.run = run
    }
}

/// An option of a verb.
struct Option: Hashable, Sendable {
    /// With its dashes: `--config`.
    let name: String
    /// The name of its value, such as `FILE`; `nil` for a flag.
    let value: String?
    let repeats: Bool
    /// The name of what a flag takes behind `=`, when it likes.
    var mayTake: String?
    let help: String

    init(_ name: String, _ value: String, repeats: Bool = false, _ help: String) {
        self.name = name
        self.value = value
        self.repeats = repeats
        self.help = help
    }

    init(_ name: String, flag help: String) {
        self.name = name
        self.value = nil
        self.repeats = false
        self.help = help
    }

    init(_ name: String, mayTake value: String, _ help: String) {
        self.init(name, flag: help)
        mayTake = value
    }

    /// Of every verb that needs the configuration.
    static let config = Option(
        "--config", "FILE", "the configuration file (else $COUNTERSIGN_CONFIG, else the usual places)")
    static let json = Option("--json", flag: "print the result as JSON")
}

/// What stood behind the verb, checked against its table entry.
struct Arguments: Hashable, Sendable {
    var operands: [String] = []
    private var valuesByOption: [String: [String]] = [:]

    mutating func add(_ value: String, to option: Option) { valuesByOption[option.name, default: []].append(value) }

    func value(_ name: String) -> String? { valuesByOption[name]?.last }
    func values(_ name: String) -> [String] { valuesByOption[name] ?? [] }
    func has(_ name: String) -> Bool { valuesByOption[name] != nil }
}

extension Arguments {
    /// A port from 1 to 65535.
    func port(_ name: String, verb: Verb) throws(Failure) -> UInt16? {
        guard let text = value(name) else { return nil }
        guard let port = UInt16(text), port > 0 else {
            throw .usage("`\(name)` must be a port from 1 to 65535", verb: verb)
        }
        return port
    }

    /// A whole number of seconds.
    func seconds(_ name: String, verb: Verb) throws(Failure) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let seconds = Int64(text), (0...86_400).contains(seconds) else {
            throw .usage("`\(name)` must be a whole number of seconds, at most 86400", verb: verb)
        }
        return seconds
    }

    /// A loopback origin, from an option, else from a variable, else this one.
    func origin(_ name: String, _ variable: String, default fallback: String, verb: Verb) throws(Failure) -> Origin {
        let text = value(name) ?? Process.environment(variable) ?? fallback
        guard let origin = Origin(text), origin.scheme == .http, origin.isLoopbackLiteral else {
            throw .usage("`\(name)` must be an origin on a loopback address, such as \(fallback)", verb: verb)
        }
        return origin
    }
}
