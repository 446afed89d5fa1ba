import Core
import Server
import TestSupport
import Testing

struct BodyTests {
    private static let collecting: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
        do {
            return .text("<" + String(decoding: try await request.body.collect(upTo: 100_000), as: UTF8.self) + ">")
        } catch RequestBodyError.tooLarge { return .text("too large", status: 413) } catch { return .text("broken") }
    }

    @Test func `a chunked body is read`() async throws {
        try await withServer(Self.collecting) { port in
            let answer = try await exchange(
                port,
                "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: dropped\r\n\r\n")
            #expect(answer.body == "<hello world>")
        }
    }

    @Test(arguments: ["100-continue", "100-CONTINUE"])
    func `H1-28 H1-29 a client that waits for it is told to go on when the body is asked for`(_ value: String)
        async throws
    {
        try await withServer(Self.collecting) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: \(value)\r\n\r\n")
            #expect(try await client.receive(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("hello")
            #expect(try await client.receive(through: "<hello>").hasPrefix("HTTP/1.1 200 OK\r\n"))
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.receive(through: "<>").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test func `H1-28 a body that came along needs no word to go on`() async throws {
        try await withServer(Self.collecting) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send(
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello")
            #expect(try await client.receive(through: "<hello>").count(of: "HTTP/1.1") == 1)
        }
    }

    @Test func `H1-28 a refusal from the head alone comes without 100 and ends the connection`() async throws {
        try await withServer({ _ in .text("no", status: 401) }) { port in
            let answer = try await exchange(
                port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 401") && answer.contains("connection: close\r\n"))
        }
    }

    @Test func `H1-28 a body announced as too long is refused without 100`() async throws {
        try await withServer(Self.collecting) { port in
            let answer = try await exchange(
                port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100001\r\nExpect: 100-continue\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 413") && answer.contains("connection: close\r\n"))
        }
    }

    @Test func `H1-29 another expectation is refused`() async throws {
        try await withServer(Self.collecting) { port in
            let answer = try await exchange(
                port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: foo\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 417") && answer.contains("\"error\":\"expectation_failed\""))
        }
    }

    @Test func `H1-29 H1-39 an HTTP 1.0 client's expectation is ignored, and it gets no interim answer`() async throws {
        try await withServer(Self.collecting) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("POST / HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            try await client.send("hello")
            let answer = try await client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.count(of: "HTTP/1.1 ") == 1)
        }
    }

    @Test func `H1-34 a body that is cut is answered 400 and never reaches the responder whole`() async throws {
        let outcome = Event<Bool>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            do {
                _ = try await request.body.collect(upTo: 100)
                outcome.happened(true)
            } catch { outcome.happened(false) }
            return .text("done")
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello")
            client.endWriting()
            let answer = try await client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 400") && !answer.contains("done"))
        }
        #expect(await outcome.next() == false)
    }

    @Test func `broken framing is answered by the server, whatever the responder says`() async throws {
        try await withServer(Self.collecting) { port in
            let answer = try await exchange(
                port, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("connection: close\r\n"))
        }
    }

    @Test func `a small body that nobody read does not cost the connection`() async throws {
        try await withServer({ .text($0.head.path) }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send(
                "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(!(try await client.receive(through: "/b").contains("connection: close")))
        }
    }

    @Test func `an answer is not lost when a long body was left unread`() async throws {
        var limits = ServerLimits.patient
        limits.linger = .seconds(600)
        try await withServer(limits: limits, { _ in .text("no", status: 401) }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n")
            try await client.send([UInt8](repeating: 65, count: 4_000_000))
            let answer = try await client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 401") && answer.contains("connection: close\r\n"))
        }
    }

    @Test func `a body kept after its answer reads nothing of the next request`() async throws {
        let kept = Event<RequestBody>()
        try await withServer({
            kept.happened($0.body); return .text($0.head.path)
        }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.receive(through: "/a")
            let body = try #require(await kept.next())
            await #expect(throws: RequestBodyError.broken) { try await body.next() }
        }
    }

    @Test func `a body of megabytes arrives whole`() async throws {
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            var count = 0
            while let piece = try? await request.body.next() { count += piece.count }
            return .text("<\(count)>")
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n")
            try await client.send([UInt8](repeating: 65, count: 5_000_000))
            #expect(try await client.receive(through: ">").contains("<5000000>"))
        }
    }
}
