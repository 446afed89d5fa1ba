import Core

/// `countersign revoke`: gives the grant back to MimiKey, then forgets it.
enum RevokeVerb {
    static let verb = Verb(
        ["revoke"], "give the grant back to MimiKey, and forget its keys and tokens",
        options: [.config, Option("--force", flag: "forget them also when MimiKey does not confirm")],
        notes: "Without MimiKey's word nothing is forgotten, unless `--force` says so. Open asks end.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let gateway = try OperatorDoor.open(arguments)
        let force = arguments.has("--force")
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            do throws(Failure) {
                _ = try await gateway.send(
                    .delete, "/admin/grant" + (force ? "?force=true" : ""), patience: GatewayClient.patienceForMimiKey)
            } catch {
                guard error.code == .revokeUnconfirmed else { throw error }
                throw Failure(
                    error.status, error.sentence, code: error.code,
                    hint:
                        "try again, or `countersign revoke --force` forgets the grant all the same; then withdraw it in MimiKey"
                )
            }
            Output.talk("the grant is gone; `countersign authorize` asks for another")
            return .ok
        }
    }
}
