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
    /// Framing bytes of a chunked body for each byte of it, once 1 KiB of framing has come. A one-byte chunk has five.
    package var chunkOverhead: Int
    /// 1xx answers before the real one.
    package var interimAnswers: Int

    package init(
        startLine: Int = 8192, fieldBlock: Int = 16384, fieldCount: Int = 100, chunkExtensions: Int = 1024,
        chunkOverhead: Int = 4, interimAnswers: Int = 8
    ) {
        self.startLine = startLine
        self.fieldBlock = fieldBlock
        self.fieldCount = fieldCount
        self.chunkExtensions = chunkExtensions
        self.chunkOverhead = chunkOverhead
        self.interimAnswers = interimAnswers
    }

    package static let standard = HTTP1Limits()
}
