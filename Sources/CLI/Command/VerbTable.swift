extension Verb {
    /// Every verb, in the order in which `--help` shows them.
    static let all: [Verb] = [
        InitVerb.verb, ServeVerb.verb, AuthorizeVerb.verb, CallbackVerb.verb, StatusVerb.verb, WatchVerb.verb,
        RefreshVerb.verb, RevokeVerb.verb, ResetVerb.verb, TrustKeyVerb.verb, ForgiveVerb.verb,
        PickVerb.verb, GetVerb.verb, CreateVerb.verb, UpdateVerb.verb, WaitVerb.verb, RetryVerb.verb, CancelVerb.verb,
        RequestsVerb.verb, VaultsVerb.verb, AccountVerb.verb,
        CallerNewVerb.verb, CheckVerb.verb, DemoVerb.verb, SandboxVerb.verb, SandboxOpenVerb.verb, VersionVerb.verb,
    ]
}
