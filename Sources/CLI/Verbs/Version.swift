/// `countersign version`.
enum VersionVerb {
    /// The version of this build; `CHANGELOG.md` says what is in it.
    static let number = "0.1.0"

    static let verb = Verb(["version"], "print the version") { (_) async throws(Failure) in
        Output.result("countersign \(number)")
        return .ok
    }
}
