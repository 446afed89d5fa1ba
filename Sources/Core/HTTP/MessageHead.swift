package enum HTTPVersion: Hashable, Sendable {
    case http10
    case http11
}

/// Request line and fields of a request.
package struct RequestHead: Hashable, Sendable {
    package var method: HTTPMethod
    package var target: RequestTarget
    package var version: HTTPVersion
    package var fields: HTTPFields

    package init(
        method: HTTPMethod, target: RequestTarget, version: HTTPVersion = .http11, fields: HTTPFields = HTTPFields()
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }

    /// The path of an origin-form target, `""` for the other forms.
    package var path: String {
        if case .origin(let path, _) = target { path } else { "" }
    }

    package var query: String? {
        if case .origin(_, let query) = target { query } else { nil }
    }
}

/// Status line and fields of a response.
package struct ResponseHead: Hashable, Sendable {
    package var status: HTTPStatus
    package var version: HTTPVersion
    package var fields: HTTPFields

    package init(status: HTTPStatus, version: HTTPVersion = .http11, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.version = version
        self.fields = fields
    }
}

/// How long a message's body is and how its end is told (RFC 9112, section 6.3).
package enum BodyFraming: Hashable, Sendable {
    case none
    /// `Content-Length`, in bytes; at least 1.
    case length(Int)
    case chunked
    /// Responses only: the body ends with the connection.
    case untilClose
}
