import Core
import Gateway

/// `countersign caller new`: a token, and what to paste into the configuration for it.
enum CallerNewVerb {
    static let verb = Verb(
        ["caller", "new"], "make a caller's token, and show the lines for the configuration", operands: ["NAME"],
        options: [
            Option("--host", "PATTERN", repeats: true, "a site that the caller may ask for; any, when there is none")
        ],
        notes: "The token goes to standard output, the lines to standard error. Nothing is written anywhere.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let name = arguments.operands[0]
        guard CallerName(name) != nil else {
            throw .usage("a caller's name is 1 to 64 of a-z, 0-9, `-`, `_` and `.`", verb: verb)
        }
        let (token, hash) = CallerToken.make()
        Output.result(token)
        Output.talk("that is the token; it is not shown again. Below `callers:` in the configuration belongs:")
        Output.note(CallerText(name: name, hash: hash, hosts: arguments.values("--host")).text)
        Output.hint("for a caller that is there already, add \(hash) to its `tokens`; then restart the gateway")
        return .ok
    }
}
