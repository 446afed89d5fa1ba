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

    @Test func `H1-36 connections that say nothing are ended, as many as there may be`() async throws {
        #expect(ServerLimits().firstByte == .seconds(30) && ServerLimits().connections == 512)
        try #require(Crowd.allowDescriptors(4096))
        // Long enough for all of them to have come before the first one goes.
        try await withServer(limits: Self.limits { $0.firstByte = .seconds(3) }, { .text($0.head.path) }) { port in
            let crowd = Crowd(port: port)
            try await crowd.join(512)
            let ends = try await crowd.untilEnded(within: .seconds(60))
            #expect(ends.count == 512 && ends.allSatisfy { $0.received.isEmpty })
            // Their places are free again.
            var answer = ""
            while answer.isEmpty { answer = try await exchange(port, "GET /a HTTP/1.0\r\n\r\n") }
            #expect(answer.hasPrefix("HTTP/1.1 200"))
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
            #expect(answer.contains("connection: close\r\n"))
            #expect(ServerLimits().body == .seconds(30))
        }
    }

    @Test func `an idle connection is ended without a word`() async throws {
        try await withServer(limits: Self.limits { $0.idle = .milliseconds(50) }, { _ in .text("hello") }) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(answer.body == "hello")
        }
    }
}
