import Core
import Synchronization
import TestSupport
import Testing
import Upstream

/// An answer that is taken piece by piece.
struct ReceivingTests {
    @Test func `pieces are given as they come, beyond any size, and are not kept`() async throws {
        try await withService { listener, client in
            let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            var request = OutboundRequest.get(limits: .with { $0.body = 4 })
            request.receive = { continuation.yield($0) }
            async let response = client.send(request)
            let connection = try await listener.accept()
            try await answer(connection, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
            var iterator = pieces.makeAsyncIterator()
            let first = await iterator.next()
            #expect(first == Array("first".utf8))
            try await connection.send("6\r\nsecond\r\n0\r\n\r\n")
            let second = await iterator.next()
            #expect(second == Array("second".utf8))
            let whole = try await response
            #expect(whole.status == 200 && whole.body.isEmpty)
        }
    }

    @Test func `an answer that is no success is kept, and not given`() async throws {
        try await withService { listener, client in
            let count = Mutex(0)
            var request = OutboundRequest.get()
            request.receive = { piece in count.withLock { $0 += piece.count } }
            async let response = client.send(request)
            try await answer(try await listener.accept(), "HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n{}")
            let whole = try await response
            #expect(whole.status == 404 && whole.body == Array("{}".utf8))
            #expect(count.withLock { $0 } == 0)
        }
    }
}
