import Core
import MimiKey

/// What a caller can learn of the person's side.
enum VaultRoutes {
    static let all = [
        Route(.get, "/v1/vaults", for: .caller, vaults),
        Route(.get, "/v1/account", for: .caller, account),
    ]

    /// As the grant is known to have them; MimiKey is not asked.
    private static func vaults(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let caller = try context.caller
        let grant = await context.services.client.grantStatus()
        try AskBook.check(grant.state)
        let reached = grant.vaults.filter { caller.policy.reaches($0, granted: grant.vaults) }
        return .json(["vaults": .array(reached.map(\.json))])
    }

    private static func account(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let account = try await context.services.client.account()
        return .json(["account_id": .string(account.id)])
    }
}

extension Vault {
    var json: JSON { ["id": .string(id), "name": .string(name), "policy": .string(policy.rawValue)] }
}
