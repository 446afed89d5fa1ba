import Core
import Server
import Synchronization
import TestSupport
import Testing

/// Bytes of which one can see whether they were wiped.
final class VisibleSecret: SensitiveBytes {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    var count: Int { bytes.withLock { $0.count } }

    func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        let copy = bytes.withLock { $0 }
        return try body(copy.span.bytes)
    }

    func wipe() { bytes.withLock { $0 = [] } }
}

struct DeliveryTests {
    @Test(arguments: [5, 3_000_000])
    func `a sensitive body is written, then wiped, then reported`(_ size: Int) async throws {
        let secret = VisibleSecret([UInt8](repeating: 83, count: size))
        let outcome = Event<(complete: Bool, left: Int)>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            HTTPResponse(
                status: 200, body: .sensitive(secret),
                delivered: { outcome.happened((complete: $0, left: secret.count)) })
        }
        try await withServer(respond) { port in
            let answer = try await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(answer.contains("content-length: \(size)\r\n") && answer.body.utf8.count == size)
            #expect(answer.body.utf8.allSatisfy { $0 == 83 })
            let told = try #require(await outcome.next())
            #expect(told.complete && told.left == 0)
        }
    }

    @Test func `a peer that resets cancels the responder, and the answer counts as not delivered`() async throws {
        let started = Event<Void>()
        let outcome = Event<Bool>()
        let secret = VisibleSecret([1, 2, 3])
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            started.happened(())
            _ = await Event<Void>().next()
            return HTTPResponse(status: 200, body: .sensitive(secret), delivered: { outcome.happened($0) })
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await started.next()
            client.reset()
            #expect(await outcome.next() == false)
            #expect(secret.count == 0)
        }
    }

    @Test func `H1-35 a peer that hangs up cancels the responder`() async throws {
        let started = Event<Void>()
        let cancelled = Event<Bool>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            started.happened(())
            _ = await Event<Void>().next()
            cancelled.happened(Task.isCancelled)
            return .text("too late")
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await started.next()
            client.endWriting()
            #expect(await cancelled.next() == true)
            // Half a hang-up: it still listens, and gets what there is.
            #expect(try await client.receiveAll().body == "too late")
        }
    }

    @Test func `a hang-up is seen behind requests sent ahead that fill the buffer`() async throws {
        let started = Event<Void>()
        let cancelled = Event<Bool>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            started.happened(())
            _ = await Event<Void>().next()
            cancelled.happened(Task.isCancelled)
            return .text("too late")
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await started.next()
            try await client.send(String(repeating: "\r\n", count: 45_000))
            client.endWriting()
            #expect(await cancelled.next() == true)
        }
    }

    @Test func `who streams is told that the peer has gone`() async throws {
        let started = Event<Void>()
        let outcome = Event<Bool>()
        let body = ResponseBody.stream { writer in
            try await writer.write([65])
            started.happened(())
            while true { try await writer.write([UInt8](repeating: 65, count: 100_000)) }
        }
        try await withServer({ _ in HTTPResponse(status: 200, body: body, delivered: { outcome.happened($0) }) }) {
            port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await started.next()
            client.reset()
            #expect(await outcome.next() == false)
        }
    }

    @Test func `an answer that is replaced by a refusal is not delivered`() async throws {
        let outcome = Event<Bool>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            _ = try? await request.body.collect(upTo: 10)
            return HTTPResponse(status: 200, delivered: { outcome.happened($0) })
        }
        try await withServer(respond) { port in
            let answer = try await exchange(
                port, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(await outcome.next() == false)
        }
    }
}
