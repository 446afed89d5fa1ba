import Core
import MimiKey
import Strongbox

/// The stored grant, for the operator: never a token.
enum GrantRoutes {
    static let all = [
        Route(.get, "/admin/grant", for: .owner, grant),
        Route(.delete, "/admin/grant", for: .owner, end),
        Route(.post, "/admin/grant/refresh", for: .owner, refresh),
    ]

    private static func grant(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        .json(json(await context.services.client.grantStatus()))
    }

    private static func end(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let flags = try context.flags("local", "force")
        let client = context.services.client
        switch (flags["local"] ?? false, flags["force"] ?? false) {
        case (true, true):
            throw Problem(.invalidRequest, "`local` tells MimiKey nothing, so there is nothing to force.")
        case (true, false): try await client.reset()
        case (false, let force): try await client.revoke(force: force)
        }
        return .json(json(await client.grantStatus()))
    }

    private static func refresh(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        var tryOnce = false
        if let body = try await context.optionalJSONObject(of: "The refresh", members: ["try_once"]),
            let member = body["try_once"]
        {
            guard let flag = member.bool else { throw Problem(.invalidMember, "`try_once` must be `true` or `false`.") }
            tryOnce = flag
        }
        return .json(json(try await context.services.client.refreshNow(tryOnce: tryOnce)))
    }

    private static func json(_ status: GrantStatus) -> JSON {
        [
            "authorized": .bool(status.state == .active || status.state == .refreshUnknown),
            "state": .string(status.state.rawValue),
            "grant_id": .text(status.grantID),
            "approval_key_fingerprint": .text(status.fingerprint?.sha256),
            "vaults": .array(status.vaults.map(\.json)),
            "access_token_expires_at": .text(status.accessExpiresAt.map(RFC3339.format)),
        ]
    }
}
