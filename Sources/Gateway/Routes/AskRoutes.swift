import Core
import Strongbox

/// Asking the person, waiting, reading the result.
enum AskRoutes {
    static let all = [
        Route(.post, "/v1/requests", for: .caller, create),
        Route(.get, "/v1/requests", for: .caller, list),
        Route(.get, "/v1/requests/{id}", for: .caller, look),
        Route(.post, "/v1/requests/{id}/retry", for: .caller, retry),
        Route(.delete, "/v1/requests/{id}", for: .caller, cancel),
    ]

    /// How long a POST is held when it does not say.
    static let defaultWait = Duration.seconds(25)

    private static func create(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let caller = try context.caller
        let asked = try context.wait(longest: caller.limits.longestWait)
        let body = try AskBody(reading: try await context.jsonBody(), by: caller.name)
        let asks = context.services.asks
        let answer = try await asks.ask(
            try await asks.admit(body, uid: context.uid, by: caller), by: caller,
            wait: asked ?? min(defaultWait, caller.limits.longestWait))
        return response(to: answer, createdBy: true, context).applying(asked)
    }

    private static func look(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let caller = try context.caller
        let asked = try context.wait(longest: caller.limits.longestWait)
        if MediaType.prefersEventStream(context.request.head.fields) {
            return try await follow(context, caller, for: asked)
        }
        let answer = try await context.services.asks.look(
            at: try askID(context), by: caller, wait: asked ?? .zero,
            unless: try EntityTags(of: context.request.head.fields), releasing: !context.isHead)
        return response(to: answer, createdBy: false, context).applying(asked)
    }

    /// As a stream of events; each is the ask as it stands, without a result.
    private static func follow(
        _ context: RouteContext, _ caller: CallerSettings, for asked: Duration?
    ) async throws(Problem) -> HTTPResponse {
        let asks = context.services.asks
        let id = try askID(context)
        // Whose it is, is known before the stream begins.
        _ = try await asks.look(at: id, by: caller, wait: .zero, unless: nil, releasing: false)
        let end = context.services.time.now() + (asked ?? caller.limits.longestWait)
        return HTTPResponse.events { writer in
            try await asks.stream(id, of: caller.name, until: end, to: writer)
        }.applying(asked)
    }

    private static func list(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let caller = try context.caller
        let page = try await context.services.asks.list(try AskQuery(context.request.head.query), of: caller.name)
        return .json(page.json(of: \.json))
    }

    private static func retry(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let caller = try context.caller
        try await context.noBody()
        return .json(try await context.services.asks.retry(try askID(context), by: caller.name).json)
    }

    private static func cancel(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let caller = try context.caller
        let view = try await context.services.asks.cancel(try askID(context), by: caller.name)
        return .json(view.json)
    }

    static func askID(_ context: RouteContext) throws(Problem) -> AskID {
        guard let id = AskID(context.parameters["id"] ?? "") else { throw AskBook.unknownAsk }
        return id
    }

    private static func response(to answer: AskAnswer, createdBy isPost: Bool, _ context: RouteContext) -> HTTPResponse
    {
        let asks = context.services.asks
        switch answer {
        case .view(let view):
            var response = HTTPResponse.json(view.json)
            let id = view.ask.id
            if !view.ask.state.isFinished {
                response.fields.append("retry-after", "1")
                if isPost {
                    response.status = 202
                    response.fields.append("location", view.path)
                } else {
                    response.fields.append("etag", view.quotedTag)
                }
            }
            if isPost {
                // Who has hung up reads no answer, though the kernel may still take it.
                let hasLeft = Task.isCancelled
                response.delivered = { asks.answered(id, complete: $0 && !hasLeft) }
            }
            // GET opens the box and carries the result; how long that would be is not known before.
            response.standsInForHead = context.isHead && view.resultState == .held
            return response
        case .unchanged(let view):
            var fields = HTTPResponse.fields(contentType: "application/json")
            fields.remove("content-type")
            fields.append("etag", view.quotedTag)
            return HTTPResponse(status: 304, fields: fields)
        case .released(let view, let body):
            let id = view.ask.id
            return HTTPResponse(
                status: 200, fields: HTTPResponse.fields(contentType: "application/json"), body: .sensitive(body),
                delivered: { asks.delivered(id, complete: $0) })
        }
    }
}

extension AskView {
    fileprivate var quotedTag: String { "\"\(tag)\"" }
}

extension AskBook.Page {
    func json(of member: (AskView) -> JSON) -> JSON {
        ["requests": .array(views.map(member)), "next_cursor": .text(next?.rawValue)]
    }
}
