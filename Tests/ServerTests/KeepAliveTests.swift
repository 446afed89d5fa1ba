import Core
import Server
import TestSupport
import Testing

struct KeepAliveTests {
    @Test func `a connection serves one request after the other`() async throws {
        try await withServer({ .text($0.head.path) }) { port in
            let client = try await RawSocket.connect(port: port)
            for path in ["/a", "/b", "/c"] {
                try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                let answer = try await client.receive(through: path)
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.contains("content-length: 2\r\n") && !answer.contains("connection:"))
                #expect(answer.contains("date: "))
            }
        }
    }

    @Test func `Connection close is honoured and told`() async throws {
        try await withServer({ _ in .text("hello") }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: foo, Close\r\n\r\n")
            #expect(answer.contains("connection: close\r\n") && answer.body == "hello")
        }
    }

    @Test func `H1-37 an HTTP 1.0 client without keep-alive gets its answer and the end`() async throws {
        try await withServer({ _ in .text("hello") }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.0\r\n\r\n")
            #expect(answer.contains("connection: close\r\n") && answer.body == "hello")
        }
    }

    @Test func `an HTTP 1.0 client with keep-alive keeps its connection`() async throws {
        try await withServer({ .text($0.head.path) }) { port in
            let client = try await RawSocket.connect(port: port)
            for path in ["/a", "/b"] {
                try await client.send("GET \(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try await client.receive(through: path).contains("connection: keep-alive\r\n"))
            }
        }
    }

    @Test func `H1-37 no chunks are sent to an HTTP 1.0 client`() async throws {
        let body = ResponseBody.stream { writer in
            try await writer.write(Array("hello ".utf8))
            try await writer.write(Array("world".utf8))
        }
        try await withServer({ _ in HTTPResponse(status: 200, body: body) }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(answer.body == "hello world")
            #expect(!answer.contains("transfer-encoding") && answer.contains("connection: close\r\n"))
        }
    }

    @Test func `a connection ends after its last allowed request`() async throws {
        var limits = ServerLimits.patient
        limits.requestsPerConnection = 2
        try await withServer(limits: limits, { .text($0.head.path) }) { port in
            let one = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
            let answer = try await exchange(port, one + one + one)
            #expect(answer.count(of: "HTTP/1.1 200") == 2 && answer.count(of: "connection: close") == 1)
        }
    }

    @Test func `H1-33 a client that ends its side gets its answer`() async throws {
        try await withServer({ _ in .text("hello") }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            client.endWriting()
            #expect(try await client.receiveAll().body == "hello")
        }
    }
}
