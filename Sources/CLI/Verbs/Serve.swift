import Core
import Gateway

/// `countersign serve`: the gateway, until SIGTERM or SIGINT.
enum ServeVerb {
    static let verb = Verb(
        ["serve"], "run the gateway until it is told to end",
        options: [
            .config,
            Option("--log", "LEVEL", "the least level that is logged: debug, info, warning, error (info)"),
            Option(
                "--require-locked-memory",
                flag: "do not start, instead of warning, when the system does not keep secrets out of swap"),
        ],
        notes:
            "Logs go to standard error, one JSON object a line. SIGTERM ends it, Ctrl-C or a second one quickly, a third one at once.",
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        guard let level = LogEvent.Level(rawValue: arguments.value("--log") ?? "info") else {
            throw .usage("`--log` is one of debug, info, warning, error", verb: verb)
        }
        if arguments.has("--require-locked-memory"), !SecretMemory.canBeLocked {
            throw Failure(
                .configuration, "the system does not lock enough memory, so that secrets could reach swap",
                hint: SecretMemory.advice)
        }
        Process.ignoreUnusedSignals()
        let daemon = try await start(
            try Configuration.inUse(arguments), takingPassedSockets: true, log: LogWriter(from: level).sink)
        Signals.onSecond {
            Output.talk("ending at once")
            Task { @concurrent in await daemon.hurry() }
        }
        let isPrompt = await Signals.first {
            for address in daemon.addresses { Output.talk("listening on \(address.shown)") }
            Supervisor.tell("READY=1")
        }
        Output.talk("ending")
        Supervisor.tell("STOPPING=1")
        await daemon.shutDown(promptly: isPrompt)
        return .ok
    }

    /// Starts a gateway; what prevents it is a failure with a hint.
    static func start(
        _ configuration: Configuration, takingPassedSockets: Bool = false, log: @escaping LogSink
    ) async throws(Failure) -> Daemon {
        do {
            let passed = takingPassedSockets ? try Activation.take() : []
            return try await Daemon(configuration, passed: passed, log: log)
        } catch let error as StartFailure {
            let status = ExitStatus(of: error.code)
            throw Failure(status, error.detail.asTalk, hint: error.hint?.shownOnTerminal)
        } catch {
            throw Failure(.failure, "the gateway did not start")
        }
    }
}

extension ListenAddress {
    fileprivate var shown: String {
        switch self {
        case .tcp(let address): "http://\(address)"
        case .unix(let unix): unix.path.shownOnTerminal
        }
    }
}
