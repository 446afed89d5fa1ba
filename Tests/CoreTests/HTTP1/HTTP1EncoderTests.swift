import Core
import Testing

struct HTTP1EncoderTests {
    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `a request head is written as it will be read`() {
        let head = RequestHead(
            method: .post, target: .origin(path: "/a", query: "b=c"),
            fields: [HTTPField("host", "x:1"), HTTPField("content-length", "2")])
        #expect(
            text(HTTP1Encoder.encode(head)) == "POST /a?b=c HTTP/1.1\r\nhost: x:1\r\ncontent-length: 2\r\n\r\n")
    }

    @Test(arguments: [
        (RequestTarget.origin(path: "/", query: nil), "/"), (.origin(path: "/", query: ""), "/?"),
        (.authority("a:1"), "a:1"), (.asterisk, "*"),
    ])
    func `each form of target is written`(_ target: RequestTarget, _ written: String) {
        let head = RequestHead(method: .get, target: target)
        #expect(text(HTTP1Encoder.encode(head)) == "GET \(written) HTTP/1.1\r\n\r\n")
    }

    @Test func `a response head has a reason, or at least the space before it`() {
        #expect(text(HTTP1Encoder.encode(ResponseHead(status: 200))) == "HTTP/1.1 200 OK\r\n\r\n")
        #expect(
            text(HTTP1Encoder.encode(ResponseHead(status: 299, version: .http10))) == "HTTP/1.0 299 \r\n\r\n")
        #expect(HTTP1Encoder.encode(ResponseHead(status: 42)) == nil)
    }

    @Test(arguments: ["a\rb", "a\nb", "a\0b", "\r\nx-pm-signature: y", "a\r\n\r\nHTTP/1.1 200 OK"])
    func `H1-40 a value with CR, LF or NUL is never written`(_ value: String) {
        let fields: HTTPFields = [HTTPField("a", "b"), HTTPField("c", value)]
        #expect(HTTP1Encoder.encode(ResponseHead(status: 200, fields: fields)) == nil)
        let request = RequestHead(method: .get, target: .origin(path: "/", query: nil), fields: fields)
        #expect(HTTP1Encoder.encode(request) == nil)
    }

    @Test(arguments: ["", "/a b", "/a\r\nb", "/\u{E9}", "/a\0"])
    func `a target that could not stand on a request line is never written`(_ path: String) {
        #expect(HTTP1Encoder.encode(RequestHead(method: .get, target: .origin(path: path, query: nil))) == nil)
    }

    @Test(arguments: ["", "GE T", "GET\r\n"]) func `a method that is no token is never written`(_ name: String) {
        let head = RequestHead(method: HTTPMethod(name: name), target: .asterisk)
        #expect(HTTP1Encoder.encode(head) == nil)
    }

    @Test func `chunks are written with their size in hexadecimal`() {
        #expect(text(HTTP1Encoder.chunk(Array("hello".utf8))) == "5\r\nhello\r\n")
        #expect(HTTP1Encoder.chunk([UInt8](repeating: 0, count: 300)).starts(with: "12c\r\n".utf8))
        #expect(text(HTTP1Encoder.lastChunk) == "0\r\n\r\n")
    }

    @Test func `what the encoder writes the decoder reads`() throws {
        let head = RequestHead(
            method: .put, target: .origin(path: "/x", query: "y"),
            fields: [
                HTTPField("host", "[::1]:7447"), HTTPField("transfer-encoding", "chunked"), HTTPField("empty", ""),
                HTTPField("obs", bytes: [0xFF, 0x80]),
            ])
        let encoded = try #require(HTTP1Encoder.encode(head))
        var decoder = HTTP1RequestDecoder()
        decoder.append((encoded + HTTP1Encoder.chunk([1, 2, 3]) + HTTP1Encoder.lastChunk).span)
        #expect(try decoder.next() == .head(head, .chunked))
        #expect(try decoder.next() == .body([1, 2, 3]))
        #expect(try decoder.next() == .end)
        #expect(try decoder.next() == nil)
    }
}
