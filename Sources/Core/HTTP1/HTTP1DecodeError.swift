/// Why bytes are not an HTTP/1.1 message as we accept it. After it the connection is closed and no byte is read again.
package struct HTTP1DecodeError: Error, Hashable, Sendable {
    /// What a server answers.
    package let status: HTTPStatus
    package let code: ErrorCode
    /// A sentence that says what is wrong; it quotes nothing of what was sent.
    package let detail: String

    package init(status: HTTPStatus = 400, code: ErrorCode = .invalidRequest, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }
}

extension HTTP1DecodeError {
    static func fieldsTooLarge(_ detail: String) -> HTTP1DecodeError {
        HTTP1DecodeError(status: 431, code: .headersTooLarge, detail)
    }

    static func notImplemented(_ detail: String) -> HTTP1DecodeError {
        HTTP1DecodeError(status: 501, code: .notImplemented, detail)
    }

    static let cutShort = HTTP1DecodeError("The connection was closed in the middle of a message.")
}
