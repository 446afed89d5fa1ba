import Core
import Gateway
import Sandbox

/// `countersign demo`: sandbox and gateway in one process, one ask, and the `curl` to try by yourself.
enum DemoVerb {
    static let verb = Verb(
        ["demo"], "show the whole way on this machine: a sandbox, a gateway, one ask",
        options: [
            Option("--once", flag: "end after the first ask; exit status 0 only if the item came back"),
            Option("--port", "PORT", "the gateway's port (7447, or a free one)"),
            Option("--sandbox-port", "PORT", "the sandbox's port (7448, or a free one)"),
        ],
        notes: "Nothing of it is real, and nothing of it stays: the state lies in a temporary directory.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let port = try port("--port", 7447, arguments)
        let sandboxPort = try Self.port("--sandbox-port", 7448, arguments)
        let directory: String
        do throws(FileError) { directory = try Files.makeTemporaryDirectory() } catch { throw error.failure }
        defer { Files.removeDirectory(directory) }
        let stage = try await DemoStage(port: port, sandboxPort: sandboxPort, directory: directory)
        do throws(Failure) {
            try await Signals.cancelling { () async throws(Failure) in
                try await stage.authorize()
                try await stage.ask()
            }
        } catch {
            await stage.end()
            throw error
        }
        if !arguments.has("--once") {
            await Signals.first { Output.talk("try the curl line yourself; Ctrl-C ends the demo") }
        }
        await stage.end()
        return .ok
    }

    /// A port that was named must be free; the usual one may give way to another.
    private static func port(_ name: String, _ usual: UInt16, _ arguments: Arguments) throws(Failure) -> UInt16 {
        let named = try arguments.port(name, verb: verb)
        guard let port = Ports.free(preferring: named ?? usual), named == nil || port == named else {
            throw Failure(.configuration, "the port \(named ?? usual) is not free", hint: "`\(name)` names another")
        }
        return port
    }
}
