import Core
import MimiKey

/// Where MimiKey returns to. The only route whose GET does something; `state` protects it.
enum CallbackRoutes {
    static let all = [Route(.get, "/callback", for: .browser, callback)]

    private static func callback(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        guard let query = QueryString(parsing: context.request.head.query ?? ""), let state = query.value("state")
        else {
            return CallbackPage.stale.response
        }
        // The states of asks are known here, those of authorizations to the client.
        if await context.services.asks.callback(state: state, error: query.value("error").map(CallbackError.code)) {
            return CallbackPage.seen.response
        }
        switch await context.services.client.handleCallback(query) {
        case .authorization(let authorization): return page(for: authorization.state).response
        case .unknown: return CallbackPage.stale.response
        case .invalid: return CallbackPage.invalid.response
        }
    }

    private static func page(for state: AuthorizationStatus.State) -> CallbackPage {
        switch state {
        case .waiting, .failed: .failed
        case .completed: .completed
        case .denied: .denied
        case .cancelled, .expired: .stale
        }
    }
}

/// The `error` of a callback, from a closed list: what stands in a URL is not repeated.
enum CallbackError {
    private static let known: Set<String> = ["not_signed_in", "access_denied", "invalid_request", "request_not_found"]

    static func code(_ text: String) -> ErrorCode { known.contains(text) ? ErrorCode(text) : .invalidCallback }
}
