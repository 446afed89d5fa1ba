/// One field line (RFC 9112, section 5).
enum HTTP1FieldLine {
    /// `line` is the line without its CRLF, as the scanner let it pass. White space around the value is not part of it.
    static func parse(_ line: Span<UInt8>) throws(HTTP1DecodeError) -> HTTPField {
        guard line[0] != .space, line[0] != .tab else {
            throw HTTP1DecodeError("A field line begins with white space (folded lines are not accepted).")
        }
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon < line.count, let name = HTTPFieldName(line.copy(0..<colon)) else {
            throw HTTP1DecodeError("A field line has no name that is a token, directly followed by a colon.")
        }
        let isFraming = name == .contentLength || name == .transferEncoding
        var first = colon + 1
        while first < line.count, line[first] == .space || (line[first] == .tab && !isFraming) { first += 1 }
        var end = line.count
        while !isFraming, end > first, line[end - 1] == .space || line[end - 1] == .tab { end -= 1 }
        return HTTPField(name, bytes: line.copy(first..<end))
    }
}

extension HTTPFieldName {
    /// Their values decide where a message ends. Parsers disagree about white space there, so only spaces in front are
    /// taken away; anything else stays in the value and makes it wrong.
    static let contentLength: HTTPFieldName = "content-length"
    static let transferEncoding: HTTPFieldName = "transfer-encoding"
    static let host: HTTPFieldName = "host"
    static let expect: HTTPFieldName = "expect"
    static let connection: HTTPFieldName = "connection"
}
