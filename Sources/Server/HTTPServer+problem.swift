package import Core

extension HTTPServer {
    /// `{"error":…,"detail":…}` with the decoder's status.
    package static let plainProblem: @Sendable (HTTP1DecodeError) -> HTTPResponse = { error in
        let document = JSON.object([
            .init("error", .string(error.code.rawValue)), .init("detail", .string(error.detail)),
        ])
        return HTTPResponse(
            status: error.status, fields: [HTTPField("content-type", "application/problem+json")],
            body: .bytes(document.encoded()))
    }
}

extension HTTP1DecodeError {
    static let tooManyConnections = HTTP1DecodeError(
        status: 503, code: .tooManyConnections, "All connections of this server are in use.")
    static let headTooSlow = HTTP1DecodeError(
        status: 408, code: .requestTimeout, "The head of the request took too long.")
    static let bodyTooSlow = HTTP1DecodeError(
        status: 408, code: .requestTimeout, "The body of the request took too long.")
    static let cutShort = HTTP1DecodeError("The connection ended in the middle of the request.")
    /// A field with CR, LF or NUL: what makes answers does not write such a thing, so it came from somewhere else.
    static let unwritable = HTTP1DecodeError(
        status: 502, code: .malformedResponse, "The answer has a value that cannot stand in a field.")
}
