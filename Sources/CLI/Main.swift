/// `countersign`: finds the verb, runs it, and turns what came of it into an exit status.
@main
enum Main {
    /// Not `async`: the main thread of an asynchronous `main` ends up in Dispatch, with every signal unblocked, and so
    /// would take those that are to be waited for. Here it is the thread that waits for them.
    static func main() {
        Process.prepare()
        Signals.block()
        Faults.arm()
        // Not on the main actor, whose thread never comes back.
        Task { @concurrent in Process.exit(await run(Array(CommandLine.arguments.dropFirst()))) }
        Signals.takeForEver()
    }

    private static func run(_ words: [String]) async -> ExitStatus {
        do throws(Failure) {
            switch try Invocation(words) {
            case .help(let text):
                Output.result(text)
                return .ok
            case .run(let verb, let arguments):
                let status = try await verb.run(arguments)
                guard status == .ok, Output.hasLostResult else { return status }
                throw Failure(.failure, "standard output could not be written, so that the result is lost")
            }
        } catch {
            Output.talk(error.sentence)
            if let hint = error.hint { Output.hint(hint) }
            return error.status
        }
    }
}
