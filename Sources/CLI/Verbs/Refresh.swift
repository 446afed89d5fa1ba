import Core

/// `countersign refresh`: fetches new tokens now.
enum RefreshVerb {
    static let verb = Verb(
        ["refresh"], "fetch a new access token now",
        options: [
            .config, .json,
            Option(
                "--try-once",
                flag:
                    "offer the refresh token once more although its last use had no answer; MimiKey may revoke the grant for it"
            ),
        ],
        notes: """
            After `refresh_unknown` the gateway offers the token no more by itself. `--try-once` is a way out if the last
            request never reached MimiKey; if it did, the grant is revoked, and `countersign authorize` asks for another.
            """,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let gateway = try OperatorDoor.open(arguments)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let answer: GatewayClient.Answer
            do throws(Failure) {
                answer = try await gateway.send(
                    .post, "/admin/grant/refresh", json: ["try_once": .bool(arguments.has("--try-once"))],
                    patience: GatewayClient.patienceForMimiKey)
            } catch {
                guard error.code == .refreshUnknown, !arguments.has("--try-once") else { throw error }
                throw Failure(error.status, error.sentence, code: error.code, hint: GrantShown.waysOutOfRefreshUnknown)
            }
            let grant = GrantShown(value: answer.value)
            if arguments.has("--json") { Output.result(grant.value.raw) }
            guard grant.isAuthorized else { throw Failure(.notAuthorized, "there is no grant any more") }
            Output.talk("refreshed" + (grant.expiresAt.map { ": the access token lives until \($0)" } ?? ""))
            return .ok
        }
    }
}
