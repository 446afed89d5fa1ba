import Core
import MimiKey

/// Authorizing at MimiKey, for the operator.
enum AuthorizationRoutes {
    static let all = [
        Route(.post, "/admin/authorize", for: .owner, begin),
        Route(.get, "/admin/authorize/{id}", for: .owner, look),
        Route(.delete, "/admin/authorize/{id}", for: .owner, cancel),
        Route(.post, "/admin/authorize/{id}/retry", for: .owner, retry),
    ]

    private static func begin(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let authorization = try await context.services.client.beginAuthorization()
        context.services.links.open(authorization)
        var response = HTTPResponse.json(json(authorization, context.services), status: 201)
        response.fields.append("location", "/admin/authorize/\(authorization.id)")
        return response
    }

    private static func look(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let services = context.services
        let id = context.parameters["id"] ?? ""
        let wait = try context.wait(longest: .seconds(600))
        if let wait { await waitForEnd(of: id, until: services.time.now() + wait, services) }
        guard let authorization = await services.client.authorization(id) else { throw unknown }
        return .json(json(authorization, services)).applying(wait)
    }

    /// A wait ends early when the gateway shuts down.
    private static func waitForEnd(of id: String, until: Instant, _ services: Services) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await services.client.waitForAuthorization(id, until: until) }
            group.addTask { await services.asks.untilDraining() }
            await group.next()
            group.cancelAll()
        }
    }

    private static func cancel(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        guard let authorization = await context.services.client.cancelAuthorization(context.parameters["id"] ?? "")
        else { throw unknown }
        return .json(json(authorization, context.services))
    }

    /// Shows the consent card again. Once the callback has come there is nothing to be shown.
    private static func retry(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let client = context.services.client
        guard let authorization = await client.authorization(context.parameters["id"] ?? "") else { throw unknown }
        guard await client.awaitsCallback(authorization.id) else {
            throw Problem(.nothingPending, "This authorization waits for nobody; `countersign authorize` starts again.")
        }
        context.services.links.open(authorization)
        return .json(json(authorization, context.services))
    }

    private static let unknown = Problem(.notFound, "There is no such authorization.")

    private static func json(_ authorization: AuthorizationStatus, _ services: Services) -> JSON {
        let error = services.links.error(of: authorization.id)
        return [
            "id": .string(authorization.id),
            "url": .string(authorization.url),
            "expires_at": .string(RFC3339.format(authorization.expiresAt)),
            "status": .string(authorization.state.rawValue),
            "error": .text(authorization.error?.rawValue),
            "open_error": .text(error?.rawValue),
            "download_url": .text(error == nil ? nil : services.configuration.mimiKey.downloadURL),
        ]
    }
}
