import Core
import MimiKey
import Strongbox

/// The stored grant, for the operator: never a token.
enum GrantRoutes {
    static let all = [Route(.get, "/admin/grant", for: .owner, grant)]

    private static func grant(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let status = await context.services.client.grantStatus()
        let vaults = status.vaults.map { vault -> JSON in
            ["id": .string(vault.id), "name": .string(vault.name), "policy": .string(vault.policy.rawValue)]
        }
        return .json([
            "authorized": .bool(status.state == .active || status.state == .refreshUnknown),
            "state": .string(status.state.rawValue),
            "grant_id": .text(status.grantID),
            "approval_key_fingerprint": .text(status.fingerprint?.sha256),
            "vaults": .array(vaults),
            "access_token_expires_at": .text(status.accessExpiresAt.map(RFC3339.format)),
        ])
    }
}
