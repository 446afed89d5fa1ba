extension Verb {
    /// Every verb, in the order in which `--help` shows them.
    static let all: [Verb] = [
        InitVerb.verb, ServeVerb.verb, AuthorizeVerb.verb, StatusVerb.verb, PickVerb.verb, CallerNewVerb.verb,
        CheckVerb.verb, DemoVerb.verb, SandboxVerb.verb, SandboxOpenVerb.verb, VersionVerb.verb,
    ]
}
