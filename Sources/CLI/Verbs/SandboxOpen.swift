import Core

/// `countersign sandbox open`: what `xdg-open` is for the real MimiKey.
enum SandboxOpenVerb {
    static let verb = Verb(
        ["sandbox", "open"], "play the phone: open a mimikey:// link in the sandbox", operands: ["URL"],
        options: [
            Option("--sandbox", "ORIGIN", "the sandbox (else $COUNTERSIGN_SANDBOX, else http://127.0.0.1:7448)")
        ],
        notes: "The callback that comes back is fetched, as a browser would.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let url = arguments.operands[0]
        guard url.hasPrefix("mimikey://") else { throw .usage("the URL must begin with mimikey://", verb: verb) }
        let sandbox = try arguments.origin(
            "--sandbox", "COUNTERSIGN_SANDBOX", default: "http://127.0.0.1:7448", verb: verb)
        let cameBack = try await Signals.cancelling { () async throws(Failure) in
            try await SandboxPhone(sandbox: sandbox).open(url)
        }
        Output.talk(cameBack ? "the sandbox came back to the gateway" : "the sandbox shows the card")
        return .ok
    }
}
