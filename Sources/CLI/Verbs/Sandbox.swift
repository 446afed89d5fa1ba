import Core
import Gateway
import Sandbox

/// `countersign sandbox`: a MimiKey to play with, on loopback, with a scripted person.
enum SandboxVerb {
    static let verb = Verb(
        ["sandbox"], "run a MimiKey to play with, with a scripted person",
        options: [
            Option("--listen", "ADDRESS", "a loopback address with a port (127.0.0.1:7448)"),
            Option(
                "--approve", "SCRIPT",
                "what the person does: after=2s, deny, conflict, expire, none, not_signed_in (after=2s)"),
            Option("--client-id", "ID", "the client that is registered there (pmc_sandbox)"),
            Option(
                "--redirect-uri", "URI", repeats: true, "its redirect URI (http://127.0.0.1:7447/callback)"),
            Option("--rude", mayTake: "SEED", "have bad manners: late, lost, broken answers (polite)"),
            Option("--rude-delay-scale", "FACTOR", "what stretches their delays, such as 0.01 (1)"),
        ],
        notes: "It keeps nothing: when it ends, its grants and requests are gone.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        guard let address = TCPAddress(arguments.value("--listen") ?? "127.0.0.1:7448"), address.ip.isLoopback else {
            throw .usage("`--listen` must be a loopback address, such as 127.0.0.1:7448", verb: verb)
        }
        guard let person = PersonScript(arguments.value("--approve") ?? "after=2s") else {
            throw .usage(
                "`--approve` is after=2s, deny, conflict, expire, none or not_signed_in, with save=outside or consent=deny at will",
                verb: verb)
        }
        var options = SandboxOptions(
            listen: address, person: person, clientID: arguments.value("--client-id") ?? "pmc_sandbox")
        if arguments.has("--redirect-uri") { options.redirectURIs = arguments.values("--redirect-uri") }
        try readManners(arguments, into: &options)
        let (service, origin) = try await start(options, log: LogWriter().sink)
        await Signals.first { Output.talk("sandbox listening on \(origin)") }
        await service.stop()
        return .ok
    }

    /// The seed is said, so that the same bad day can be had again.
    private static func readManners(_ arguments: Arguments, into options: inout SandboxOptions) throws(Failure) {
        if let text = arguments.value("--rude") {
            let seed = text.isEmpty ? SandboxOptions.newSeed() : UInt64(text)
            guard let seed, seed <= UInt64(Int64.max) else {
                throw .usage("the seed of `--rude` is a whole number", verb: verb)
            }
            options.rudeSeed = seed
            Output.talk("the sandbox is rude, with the seed \(seed)")
        }
        if let text = arguments.value("--rude-delay-scale") {
            guard let factor = Double(text), (0...100).contains(factor) else {
                throw .usage("`--rude-delay-scale` is a number from 0 to 100, such as 0.01", verb: verb)
            }
            options.rudeDelayScale = factor
        }
    }

    static func start(
        _ options: SandboxOptions, log: @escaping LogSink
    ) async throws(Failure) -> (SandboxService, Origin) {
        do {
            let service = try SandboxService(options, time: Clock.source, log: log)
            return (service, try await service.start())
        } catch {
            throw Failure(
                .configuration, "the sandbox cannot listen on \(options.listen)",
                hint: "is another one running? `--listen` names another port")
        }
    }
}
