/// A request line (RFC 9112, section 3): three parts, one space between them.
struct HTTP1RequestLine: Hashable, Sendable {
    let method: HTTPMethod
    let target: HTTP1Target
    let version: HTTPVersion

    private static let known: Set<HTTPMethod> = [
        .get, .head, .post, .put, .patch, .delete, .options, .connect, .trace,
    ]

    /// `line` is the line without its CRLF, as the scanner let it pass.
    init(_ line: Span<UInt8>) throws(HTTP1DecodeError) {
        var firstSpace = 0
        while firstSpace < line.count, line[firstSpace] != .space { firstSpace += 1 }
        var lastSpace = line.count - 1
        while lastSpace > firstSpace, line[lastSpace] != .space { lastSpace -= 1 }
        guard lastSpace > firstSpace else {
            throw HTTP1DecodeError("The request line is not made of method, target and version.")
        }
        let name = line.copy(0..<firstSpace)
        guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else {
            throw HTTP1DecodeError("The method is no token.")
        }
        let method = HTTPMethod(name: String(decoding: name, as: UTF8.self))
        let versionBytes = line.copy(lastSpace + 1..<line.count)
        if method.name == "PRI", versionBytes == Array("HTTP/2.0".utf8) {
            throw HTTP1DecodeError("HTTP/2 is not offered on this port.")
        }
        version = try HTTPVersion(parsing: versionBytes)
        guard Self.known.contains(method) else { throw .notImplemented("The method is not known here.") }
        self.method = method
        target = try HTTP1Target(line.copy(firstSpace + 1..<lastSpace), method: method)
    }
}
