import Core
import Gateway

/// `countersign init`: a configuration that works, and the first caller's token.
enum InitVerb {
    static let verb = Verb(
        ["init"], "write a configuration with a first caller, and print the caller's token once",
        options: [
            Option("--origin", "URL", "where MimiKey is, such as https://mimikey.example"),
            Option("--client-id", "ID", "our client id there, such as pmc_…"),
            Option("--caller", "NAME", "the first caller (agent)"),
            Option("--host", "PATTERN", repeats: true, "a site that the caller may ask for; any, when there is none"),
            Option("--port", "PORT", "the port to listen on (7447)"),
            Option("--config", "FILE", "the file to write ($XDG_CONFIG_HOME/countersign/countersign.yaml)"),
            Option("--state", "DIRECTORY", "what has to survive ($XDG_STATE_HOME/countersign)"),
        ],
        notes: """
            Nothing that is there is ever overwritten. The token is the only line on standard output:
              T=$(countersign init --origin http://127.0.0.1:7448 --client-id pmc_…)
            """,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        guard let origin = arguments.value("--origin") else { throw .usage("`--origin` is missing", verb: verb) }
        guard let clientID = arguments.value("--client-id") else {
            throw .usage("`--client-id` is missing", verb: verb)
        }
        let name = arguments.value("--caller") ?? "agent"
        guard CallerName(name) != nil else {
            throw .usage("a caller's name is 1 to 64 of a-z, 0-9, `-`, `_` and `.`", verb: verb)
        }
        let port = try arguments.port("--port", verb: verb) ?? 7447
        let file = try path("--config", arguments, Places.newConfiguration)
        let state = try path("--state", arguments, Places.newState)
        if Files.exists(file) { throw alreadyThere(file) }

        let (token, hash) = CallerToken.make()
        let text = ConfigurationText(
            origin: origin, clientID: clientID, port: port, listensOnIPv6: Ports.hasIPv6Loopback,
            adminSocket: Places.adminSocket(state: state), state: state,
            keyFile: Places.directory(of: file) + "/master.key",
            caller: CallerText(name: name, hash: hash, hosts: arguments.values("--host")))
        let bytes = Array(text.text.utf8)
        do throws(ConfigurationError) {
            _ = try Configuration.decode(bytes, file: file)
        } catch {
            let problems = error.problems.map { $0.message + ($0.hint.map { hint in " (\(hint))" } ?? "") }
            throw .usage(problems.map(\.shownOnTerminal).joined(separator: "\ncountersign: "), verb: verb)
        }
        do throws(FileError) {
            try Files.makeDirectory(Places.directory(of: file))
            try Files.makeDirectory(state)
            try Files.makeDirectory(Places.directory(of: text.adminSocket))
            try Files.create(file, bytes)
        } catch {
            throw error.isAlreadyThere ? alreadyThere(file) : error.failure
        }

        Output.talk("wrote \(file.shownOnTerminal)")
        Output.talk("this is the token of the caller `\(name)`; it is not shown again")
        Output.result(token)
        Output.hint("`countersign serve` starts the gateway, `countersign authorize` asks the person for a grant")
        return .ok
    }

    private static func path(
        _ option: String, _ arguments: Arguments, _ usual: () throws(Failure) -> String
    ) throws(Failure) -> String {
        guard let named = arguments.value(option) else { return try usual() }
        return Places.absolute(path: named)
    }

    private static func alreadyThere(_ file: String) -> Failure {
        Failure(
            .configuration, "\(file.shownOnTerminal) is there already, and stays as it is",
            hint: "`countersign caller new NAME` makes another token; `--config` names another file")
    }
}
