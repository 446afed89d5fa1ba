import Core

extension HTTPResponse {
    /// What every answer of ours carries: it is not to be kept, and not to be taken for something else.
    static func fields(contentType: String) -> HTTPFields {
        [
            HTTPField("content-type", contentType),
            HTTPField("cache-control", "no-store"),
            HTTPField("x-content-type-options", "nosniff"),
        ]
    }

    static func json(_ json: JSON, status: HTTPStatus = 200) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields(contentType: "application/json"), body: .bytes(json.encoded()))
    }
}

extension HTTPResponse {
    /// A stream of events, which goes on as long as `produce` does. No proxy is to hold it back.
    static func events(_ produce: @escaping @Sendable (any BodyWriter) async throws -> Void) -> HTTPResponse {
        var fields = fields(contentType: "text/event-stream")
        fields.append("x-accel-buffering", "no")
        return HTTPResponse(status: 200, fields: fields, body: .stream(produce))
    }
}

extension Problem {
    /// The `application/problem+json` answer (RFC 9457).
    func response(traceID: String) -> HTTPResponse {
        var fields = HTTPResponse.fields(contentType: "application/problem+json")
        if let retryAfter { fields.append("retry-after", retryAfter.retrySeconds) }
        if status == 401 { fields.append("www-authenticate", "Bearer") }
        return HTTPResponse(status: status, fields: fields, body: .bytes(json(traceID: traceID).encoded()))
    }
}

extension Duration {
    /// Whole seconds, rounded up, at least 1: the value of `Retry-After`.
    var retrySeconds: String {
        let (seconds, attoseconds) = components
        return String(max(1, seconds + (attoseconds > 0 ? 1 : 0)))
    }
}
