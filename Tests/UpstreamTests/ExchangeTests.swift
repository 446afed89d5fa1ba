import Core
import Foundation
import Server
import TestSupport
import Testing
import Transport
import Upstream

struct ExchangeTests {
    @Test func `a request goes out with what the client adds`() async throws {
        try await withService { listener, client in
            var request = OutboundRequest.post("{}")
            request.target = "/api/x?a=b"
            request.fields = [
                HTTPField("accept", "application/json"), HTTPField("Host", "evil"), HTTPField("content-length", "9"),
            ]
            async let response = client.send(request)
            let connection = try await listener.accept()
            let text = try await connection.receive(through: "{}")
            #expect(
                text == "POST /api/x?a=b HTTP/1.1\r\nhost: \(hostOf(connection))\r\naccept: application/json\r\n"
                    + "user-agent: countersign\r\ncontent-length: 2\r\n\r\n{}")
            try await connection.send("HTTP/1.1 201 Created\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello")
            let answer = try await response
            #expect(answer.status == 201 && answer.body == Array("hello".utf8) && answer.fields.text("x-a") == "b")
        }
    }

    private func hostOf(_ connection: RawSocket) -> String {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(connection.descriptor, $0, &size)
            }
        }
        return "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    }

    @Test(arguments: ["a\r\nb: c", "a\0"])
    func `a field with a line end never leaves`(_ value: String) async throws {
        try await withService { _, client in
            var request = OutboundRequest.get()
            request.fields = [HTTPField("x", value)]
            await #expect(throws: SendFailure(.malformed, bytesMayHaveLeft: false)) { try await client.send(request) }
        }
    }

    @Test(arguments: ["x", "/a b", "/a\r\nx: y", ""])
    func `a target that could not stand on a request line never leaves`(_ target: String) async throws {
        try await withService { _, client in
            await #expect(throws: SendFailure(.malformed, bytesMayHaveLeft: false)) {
                try await client.send(.get(target))
            }
        }
    }

    @Test func `interim answers are passed over`() async throws {
        try await withService { listener, client in
            async let response = client.send(.get())
            let connection = try await listener.accept()
            try await answer(connection, "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + emptyAnswer)
            #expect(try await response.status == 200)
        }
    }

    @Test func `a redirect is an answer like any other`() async throws {
        try await withService { listener, client in
            async let response = client.send(.get())
            let connection = try await listener.accept()
            try await answer(
                connection, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
            #expect(try await response.status == 302)
        }
    }

    @Test func `HEAD, 204 and 304 have no body`() async throws {
        try await withService { listener, client in
            var head = OutboundRequest.get()
            head.method = .head
            async let first = client.send(head)
            let connection = try await listener.accept()
            try await answer(connection, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
            #expect(try await first.body.isEmpty)
            for status in ["204 No Content", "304 Not Modified"] {
                async let next = client.send(.get())
                try await answer(connection, "HTTP/1.1 \(status)\r\n\r\n")
                #expect(try await next.body.isEmpty)
            }
        }
    }

    @Test func `an answer byte by byte is the same answer`() async throws {
        try await withService { listener, client in
            async let response = client.send(.get())
            let connection = try await listener.accept()
            _ = try await connection.receive(through: "\r\n\r\n")
            for byte in "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n".utf8 {
                try await connection.send([byte])
            }
            #expect(try await response.body == Array("abcd".utf8))
        }
    }

    @Test func `a body that ends with the connection is taken whole`() async throws {
        try await withService { listener, client in
            async let response = client.send(.get())
            let connection = try await listener.accept()
            try await answer(connection, "HTTP/1.1 200 OK\r\n\r\nhello")
            connection.close()
            #expect(try await response.body == Array("hello".utf8))
        }
    }

    @Test func `a large body goes out whole to our own server`() async throws {
        let server = try HTTPServer(responder: Counting())
        let loop = try EventLoop(name: "test client")
        guard case .tcp(let bound) = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0))) else {
            return
        }
        let client = try UpstreamClient(.loopback(bound.port), on: loop)
        let answer = try await client.send(.post(String(repeating: "a", count: 3_000_000)))
        #expect(answer.body == Array("3000000".utf8))
        await client.close()
        await server.shutDown(grace: .seconds(1))
        await loop.stop()
    }

    @Test func `a Unix socket is dialled too, with a loop of the client's own`() async throws {
        let path = "/tmp/countersign-\(UInt64.random(in: .min ... .max)).sock"
        let server = try HTTPServer(responder: Counting())
        _ = try await server.listen(.unix(path: path, mode: 0o600))
        let client = try UpstreamClient(.unix(path: path))
        #expect(try await client.send(.post("hello")).body == Array("5".utf8))
        await client.close()
        await server.shutDown(grace: .seconds(1))
        await #expect(throws: SendFailure(.connectFailed, bytesMayHaveLeft: false)) { try await client.send(.get()) }
    }
}

/// Answers with the length of the body.
struct Counting: Responder {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let count = (try? await request.body.collect(upTo: 1 << 24).count) ?? -1
        return HTTPResponse(status: 200, body: .bytes(Array("\(count)".utf8)))
    }
}
