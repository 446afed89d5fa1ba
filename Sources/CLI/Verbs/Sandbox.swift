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
        let (service, origin) = try await start(options, log: LogWriter().sink)
        await Signals.first { Output.talk("sandbox listening on \(origin)") }
        await service.stop()
        return .ok
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
