extension Verb {
    /// Every verb, in the order in which `--help` shows them.
    static let all: [Verb] = [
        InitVerb.verb, ServeVerb.verb, AuthorizeVerb.verb, CallbackVerb.verb, StatusVerb.verb, WatchVerb.verb,
        RefreshVerb.verb, RevokeVerb.verb, ResetVerb.verb, ForgiveVerb.verb,
        PickVerb.verb, WaitVerb.verb, RetryVerb.verb, CancelVerb.verb,
        RequestsVerb.verb,
        CallerNewVerb.verb, CheckVerb.verb, DemoVerb.verb, SandboxVerb.verb, SandboxOpenVerb.verb, VersionVerb.verb,
    ]
}
