import Core

/// Why a verb did not do what it was asked to: said on standard error, and told by the exit status.
struct Failure: Error, Hashable, Sendable {
    let status: ExitStatus
    /// Without capital and full stop.
    let sentence: String
    /// What to do about it.
    let hint: String?
    /// What the gateway called it, where it comes from there.
    let code: ErrorCode?

    init(_ status: ExitStatus, _ sentence: String, code: ErrorCode? = nil, hint: String? = nil) {
        self.status = status
        self.sentence = sentence
        self.hint = hint
        self.code = code
    }

    /// A mistake on the command line.
    static func usage(_ sentence: String, verb: Verb? = nil) -> Failure {
        let words = ["countersign"] + (verb?.words ?? []) + ["--help"]
        return Failure(.usage, sentence, hint: "`\(words.joined(separator: " "))` shows how it is used")
    }

    static let interrupted = Failure(.interrupted, "interrupted")
}
