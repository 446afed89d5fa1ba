import Core

/// Every caller's asks, for the operator. Never a result.
enum OperatorAskRoutes {
    static let all = [
        Route(.get, "/admin/requests", for: .owner, list),
        Route(.post, "/admin/requests/{id}/forgive", for: .owner, forgive),
    ]

    private static func list(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let page = try await context.services.asks.list(try AskQuery(context.request.head.query), of: nil)
        return .json(page.json(of: \.operatorJSON))
    }

    private static func forgive(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        try await context.noBody()
        guard let id = AskID(context.parameters["id"] ?? "") else { throw AskBook.noSuchAsk }
        return .json(try await context.services.asks.forgive(id).operatorJSON)
    }
}
