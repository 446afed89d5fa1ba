/// A status line (RFC 9112, section 4). The reason phrase is not kept; the space before it may be missing with it.
struct HTTP1StatusLine: Hashable, Sendable {
    let version: HTTPVersion
    let status: HTTPStatus

    /// `line` is the line without its CRLF, as the scanner let it pass.
    init(_ line: Span<UInt8>) throws(HTTP1DecodeError) {
        guard line.count >= 12, line[8] == .space, line.count == 12 || line[12] == .space else {
            throw HTTP1DecodeError("The status line is not made of version, status and reason.")
        }
        version = try HTTPVersion(parsing: line.copy(0..<8))
        var code = 0
        for index in 9..<12 {
            guard line[index].isASCIIDigit else { throw HTTP1DecodeError("The status is no number of three digits.") }
            code = code * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        guard (100..<600).contains(code) else { throw HTTP1DecodeError("The status is not between 100 and 599.") }
        guard code != 101 else { throw HTTP1DecodeError("A change of protocol was answered that nobody asked for.") }
        status = HTTPStatus(code: code)
    }
}
