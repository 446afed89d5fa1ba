import Core

/// Every caller's asks, for the operator. Never a result.
enum OperatorAskRoutes {
    static let all = [
        Route(.get, "/admin/requests", for: .owner, list),
        Route(.post, "/admin/requests/{id}/forgive", for: .owner, forgive),
    ]

    private static func list(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let query = try AskQuery(context.request.head.query)
        let asks = context.services.asks
        if MediaType.prefersEventStream(context.request.head.fields) {
            return HTTPResponse.events { writer in try await asks.streamAll(query.states, to: writer) }
        }
        let page = try await asks.list(query, of: nil)
        return .json(page.json(of: \.operatorJSON))
    }

    private static func forgive(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        try await context.noBody()
        guard let id = AskID(context.parameters["id"] ?? "") else { throw AskBook.noSuchAsk }
        return .json(try await context.services.asks.forgive(id).operatorJSON)
    }
}
