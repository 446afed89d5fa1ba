/// The limits of the HTTP/1.1 codec; `docs/limits.md` lists them.
package struct HTTP1Limits: Hashable, Sendable {
    /// Bytes of a start line, without its CRLF.
    package var startLine: Int
    /// Bytes of all field lines of a head or of trailers, CRLFs included.
    package var fieldBlock: Int
    /// Field lines of a head or of trailers.
    package var fieldCount: Int
    /// Bytes of all chunk extensions of one body.
    package var chunkExtensions: Int
    /// Framing bytes of a chunked body for each byte of it, once 1 KiB of framing has come.
    package var chunkOverhead: Int

    package init(
        startLine: Int = 8192, fieldBlock: Int = 16384, fieldCount: Int = 100, chunkExtensions: Int = 1024,
        chunkOverhead: Int = 16
    ) {
        self.startLine = startLine
        self.fieldBlock = fieldBlock
        self.fieldCount = fieldCount
        self.chunkExtensions = chunkExtensions
        self.chunkOverhead = chunkOverhead
    }

    package static let standard = HTTP1Limits()
}

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
