import Core

/// Every route there is, as data: the router and the test that compares it with `openapi.yaml` read the same list.
package enum Routes {
    package static let all: [Route] =
        HealthRoutes.all + ContractRoutes.all + CallerRoutes.all + VaultRoutes.all + AskRoutes.all + CallbackRoutes.all
        + AuthorizationRoutes.all + GrantRoutes.all + OperatorAskRoutes.all

    /// The paths that a browser may come to from another site.
    static let browserPaths = Set(all.filter { $0.audience == .browser }.map(\.path))

    enum Match {
        case route(Route, parameters: [String: String])
        /// The path is known, with these methods.
        case otherMethod(allowed: [HTTPMethod], audience: Audience)
        case nothing
    }

    static func match(_ head: RequestHead) -> Match {
        let path = head.path
        guard path.hasPrefix("/") else { return .nothing }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var allowed: [HTTPMethod] = []
        var audience = Audience.caller
        for route in all {
            guard let parameters = route.parameters(of: parts) else { continue }
            if route.method == head.method || (head.method == .head && route.answersHead) {
                return .route(route, parameters: parameters)
            }
            allowed.append(route.method)
            if route.answersHead { allowed.append(.head) }
            audience = route.audience
        }
        return allowed.isEmpty ? .nothing : .otherMethod(allowed: allowed, audience: audience)
    }
}
