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
        status: 503, code: .tooManyConnections, "all connections of this server are in use")
    static let headTooSlow = HTTP1DecodeError(
        status: 408, code: .requestTimeout, "the head of the request took too long")
    static let bodyTooSlow = HTTP1DecodeError(
        status: 408, code: .requestTimeout, "the body of the request took too long")
    static let cutShort = HTTP1DecodeError("the connection ended inside the request")
    static let unknownExpectation = HTTP1DecodeError(
        status: 417, code: .expectationFailed, "only the expectation 100-continue can be met")
    static let unwritable = HTTP1DecodeError(
        status: 500, code: .internalError, "the answer could not be written as HTTP")
}
