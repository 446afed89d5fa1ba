package import Core

/// Whom a route answers.
package enum Audience: String, Hashable, Sendable {
    /// Without a token, at every door.
    case anyone
    /// A browser that comes back from MimiKey; `state` protects it.
    case browser
    /// Without a token too, but it says more to a caller or the operator.
    case anyoneOrCaller
    /// A caller, by its token, on TCP.
    case caller
    /// The owner of the gateway, on the operator's socket.
    case owner
}

/// One line of the contract: a method and a path, for whom, and what answers.
package struct Route: Sendable {
    typealias Handler = @Sendable (RouteContext) async throws(Problem) -> HTTPResponse

    package let method: HTTPMethod
    /// As in `openapi.yaml`, such as `/v1/requests/{id}`.
    package let path: String
    package let audience: Audience
    let segments: [Segment]
    let handler: Handler

    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    init(_ method: HTTPMethod, _ path: String, for audience: Audience, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.audience = audience
        self.handler = handler
        segments = path.split(separator: "/").map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    /// HEAD is answered as GET is, but where a look would spend something.
    var answersHead: Bool { method == .get && audience != .browser }

    /// The path's parameters, `nil` when it is another path. Segments are compared as they stand, never decoded.
    func parameters(of path: [Substring]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, segment) in zip(path, segments) {
            switch segment {
            case .literal(let text): guard part == text else { return nil }
            case .parameter(let name):
                guard !part.isEmpty else { return nil }
                parameters[name] = String(part)
            }
        }
        return parameters
    }
}
