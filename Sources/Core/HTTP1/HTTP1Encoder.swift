/// Writes heads and chunks (RFC 9112). A field value with CR, LF or NUL is never written.
package enum HTTP1Encoder {
    /// `nil` when a field value holds CR, LF or NUL.
    package static func encode(_ head: RequestHead) -> [UInt8]? { fatalError() }
    package static func encode(_ head: ResponseHead) -> [UInt8]? { fatalError() }
    /// One chunk of a chunked body; `bytes` must not be empty.
    package static func chunk(_ bytes: [UInt8]) -> [UInt8] { fatalError() }
    /// `0 CRLF CRLF`.
    package static let lastChunk: [UInt8] = Array("0\r\n\r\n".utf8)
}
