import Core
import MimiKey
import Strongbox

/// The stored grant, for the operator: never a token.
enum GrantRoutes {
    static let all = [
        Route(.get, "/admin/grant", for: .owner, grant),
        Route(.delete, "/admin/grant", for: .owner, end),
        Route(.post, "/admin/grant/refresh", for: .owner, refresh),
        Route(.post, "/admin/grant/identity-key", for: .owner, acceptIdentityKey),
    ]

    private static func grant(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        .json(await json(context.services.client))
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
        return .json(await json(client))
    }

    private static func refresh(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        var tryOnce = false
        if let body = try await context.optionalJSONObject(of: "The refresh", members: ["try_once"]),
            let member = body["try_once"]
        {
            guard let flag = member.bool else { throw Problem(.invalidMember, "`try_once` must be `true` or `false`.") }
            tryOnce = flag
        }
        _ = try await context.services.client.refreshNow(tryOnce: tryOnce)
        return .json(await json(context.services.client))
    }

    /// The operator has compared the fingerprint that MimiKey shows.
    private static func acceptIdentityKey(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let body = try await context.optionalJSONObject(of: "The acceptance", members: ["accept"])
        guard let member = body?["accept"] else { throw Problem(.missingMember, "The body lacks `accept`.") }
        guard let fingerprint = member.string, Hex.decode(fingerprint)?.count == 32 else {
            throw Problem(.invalidMember, "`accept` must be the fingerprint of the offered key: 64 hex digits.")
        }
        let client = context.services.client
        try await client.acceptIdentityKey(fingerprint)
        return .json(await json(client))
    }

    private static func json(_ client: MimiKeyClient) async -> JSON {
        let status = await client.grantStatus()
        let keys = await client.identityKeyStatus()
        return [
            "authorized": .bool(status.state == .active || status.state == .refreshUnknown),
            "state": .string(status.state.rawValue),
            "grant_id": .text(status.grantID),
            "approval_key_fingerprint": .text(status.fingerprint?.sha256),
            "identity_key_fingerprint": .text(keys.pinned?.sha256),
            "offered_identity_key_fingerprint": .text(keys.offered?.sha256),
            "vaults": .array(status.vaults.map(\.json)),
            "access_token_expires_at": .text(status.accessExpiresAt.map(RFC3339.format)),
        ]
    }
}
