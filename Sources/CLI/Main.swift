/// `countersign`: finds the verb, runs it, and turns what came of it into an exit status.
@main
enum Main {
    static func main() async {
        Process.prepare()
        Signals.prepare()
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        Process.exit(status)
    }

    private static func run(_ words: [String]) async -> ExitStatus {
        do throws(Failure) {
            switch try Invocation(words) {
            case .help(let text):
                Output.result(text)
                return .ok
            case .run(let verb, let arguments):
                return try await verb.run(arguments)
            }
        } catch {
            Output.talk(error.sentence)
            if let hint = error.hint { Output.hint(hint) }
            return error.status
        }
    }
}
