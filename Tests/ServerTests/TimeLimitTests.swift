import Core
import Server
import TestSupport
import Testing

struct TimeLimitTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    @Test func `H1-36 a connection that says nothing is ended`() async throws {
        try await withServer(limits: Self.limits { $0.firstByte = .milliseconds(50) }, { _ in .text("never") }) {
            port in
            let answer = try await exchange(port, "")
            #expect(answer.isEmpty)
        }
    }

    @Test func `H1-31 a head that does not end is answered 408`() async throws {
        try await withServer(limits: Self.limits { $0.head = .milliseconds(50) }, { _ in .text("never") }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHo")
            #expect(answer.hasPrefix("HTTP/1.1 408") && answer.contains("\"error\":\"request_timeout\""))
        }
    }

    @Test func `H1-31 bytes that keep coming do not extend the time of a head`() async throws {
        try await withServer(limits: Self.limits { $0.head = .milliseconds(200) }, { _ in .text("never") }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n")
            let sender = Task {
                while !Task.isCancelled { try await client.send("a: b\r\n"); await Task.yield() }
            }
            let answer = try await client.receive(through: "\r\n\r\n")
            sender.cancel()
            #expect(answer.hasPrefix("HTTP/1.1 408") || answer.hasPrefix("HTTP/1.1 431"))
        }
    }

    @Test func `H1-30 a body that does not come is answered 408`() async throws {
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            _ = try? await request.body.collect(upTo: 100)
            return .text("never")
        }
        try await withServer(limits: Self.limits { $0.body = .milliseconds(50) }, respond) { port in
            let answer = try await exchange(
                port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 408") && !answer.contains("never"))
        }
    }

    @Test func `an idle connection is ended without a word`() async throws {
        try await withServer(limits: Self.limits { $0.idle = .milliseconds(50) }, { _ in .text("hello") }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(answer.body == "hello")
        }
    }

    @Test func `H1-32 an answer that is not taken is cut and told so`() async throws {
        let outcome = Event<Bool>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            let body = [UInt8](repeating: 65, count: 32 << 20)
            return HTTPResponse(status: 200, body: .bytes(body), delivered: { outcome.happened($0) })
        }
        try await withServer(limits: Self.limits { $0.write = .milliseconds(100) }, respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await outcome.next() == false)
        }
    }
}
