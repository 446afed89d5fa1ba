import Core
import Foundation
import Server
import TestSupport
import Testing

struct AnswerTests {
    private static func streamed(_ pieces: [String]) -> HTTPResponse {
        HTTPResponse(status: 200, body: .stream { for piece in pieces { try await $0.write(Array(piece.utf8)) } })
    }

    @Test func `a streamed body goes out in chunks and the connection lives on`() async throws {
        try await withServer({ _ in Self.streamed(["hello", "", " world"]) }) { port in
            let client = try await RawSocket.connect(port: port)
            for _ in 0..<2 {
                try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                let answer = try await client.receive(through: "0\r\n\r\n")
                #expect(answer.body == "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n")
                #expect(answer.contains("transfer-encoding: chunked\r\n") && !answer.contains("content-length"))
            }
        }
    }

    @Test func `a streamed body that fails is visibly cut`() async throws {
        struct Failed: Error {}
        let body = ResponseBody.stream { writer in
            try await writer.write(Array("hello".utf8))
            throw Failed()
        }
        try await withServer({ _ in HTTPResponse(status: 200, body: body) }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.0\r\n\r\n")
            await #expect(throws: RawSocket.Failure.self) { _ = try await client.receiveAll() }
        }
    }

    @Test(arguments: ["whole", "streamed", "error"])
    func `H1-38 HEAD gets the fields of GET and no body`(_ kind: String) async throws {
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            switch kind {
            case "whole": .text("hello")
            case "streamed": Self.streamed(["hello"])
            default: .text("nothing here", status: 404)
            }
        }
        try await withServer(respond) { port in
            let fields = { (answer: String) in answer.components(separatedBy: "\r\n").filter { !$0.hasPrefix("date") } }
            let head = try await exchange(port, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let get = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(head.hasSuffix("\r\n\r\n") && head.body.isEmpty && !get.body.isEmpty)
            #expect(fields(head) == fields(get.components(separatedBy: "\r\n\r\n")[0] + "\r\n\r\n"))
        }
    }

    @Test func `H1-38 HEAD is told no length that GET would not have`() async throws {
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            var response = HTTPResponse.text(request.head.method == .head ? "shorter" : "the whole of it")
            response.standsInForHead = request.head.method == .head
            return response
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let answers = try await client.receive(through: "the whole of it")
            #expect(answers.count(of: "HTTP/1.1 200") == 2 && !answers.contains("shorter"))
            #expect(answers.count(of: "content-length") == 1 && !answers.contains("transfer-encoding"))
        }
    }

    @Test(arguments: [204, 304])
    func `H1-39 204 and 304 carry no body and no framing`(_ code: Int) async throws {
        try await withServer({ _ in .text("hello", status: HTTPStatus(code: code)) }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(code)") && answer.body.isEmpty)
            #expect(!answer.contains("content-length") && !answer.contains("transfer-encoding"))
        }
    }

    @Test func `H1-40 the server alone frames an answer`() async throws {
        let fields: HTTPFields = [
            HTTPField("Content-Length", "99"), HTTPField("Transfer-Encoding", "chunked"), HTTPField("Connection", "x"),
            HTTPField("Date", "yesterday"), HTTPField("Allow", "GET"),
        ]
        try await withServer({ _ in HTTPResponse(status: 200, fields: fields, body: .bytes([65])) }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(answer.count(of: "content-length") == 1 && answer.contains("content-length: 1\r\n"))
            #expect(!answer.contains("chunked") && !answer.contains("yesterday") && answer.contains("allow: GET\r\n"))
        }
    }

    @Test(arguments: ["a\r\nset-cookie: b", "a\rb", "a\nb", "a\0b"])
    func `H1-40 a field with a line end or NUL is dropped with its answer, which becomes a 502`(
        _ value: String
    ) async throws {
        try await withServer({ _ in HTTPResponse(status: 200, fields: [HTTPField("x-field", value)]) }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 502") && !answer.contains("cookie") && !answer.contains("x-field"))
            #expect(answer.contains("\"error\":\"malformed_response\"") && answer.count(of: "HTTP/1.1") == 1)
        }
    }

    @Test func `H1-39 a responder cannot answer with an interim status`() async throws {
        try await withServer({ _ in HTTPResponse(status: 100) }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 502") && answer.count(of: "HTTP/1.1") == 1)
        }
    }

    @Test func `a body of megabytes is taken by a slow reader whole`() async throws {
        let body = [UInt8](repeating: 65, count: 6_000_000)
        try await withServer({ _ in HTTPResponse(status: 200, body: .bytes(body)) }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(answer.body.utf8.count == body.count)
        }
    }

    @Test(arguments: ["GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"])
    func `what is no request is answered with a problem and the end`(_ text: String) async throws {
        try await withServer({ _ in .text("never") }) { port in
            let answer = try await exchange(port, text)
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("application/problem+json"))
            #expect(answer.contains("\"error\":\"invalid_request\"") && answer.contains("connection: close\r\n"))
        }
    }
}
