import Gateway

/// `countersign check`: every problem of the configuration at once.
enum CheckVerb {
    static let verb = Verb(
        ["check"], "check the configuration, and print every problem of it", options: [.config],
        notes: "Exit status 7 when there is one.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.inUse(arguments)
        for warning in configuration.warnings {
            Output.talk("warning: \(warning.detail.asTalk) (\(warning.code))")
        }
        Output.result("\(try Places.configuration(arguments).shownOnTerminal) is right")
        return .ok
    }
}
