import Core
import Synchronization
import TestSupport
import Testing

@testable import Gateway

struct StreamTests {
    /// Reads `/v1/requests/{id}` as a stream of events, over a socket of its own.
    private static func open(
        _ gateway: TestGateway, _ id: String, version: String = "1.1", method: String = "GET", fields: String = ""
    ) async throws -> RawSocket {
        let port = try #require(gateway.wire?.port)
        let client = try await RawSocket.connect(port: port)
        try await client.send(
            "\(method) /v1/requests/\(id) HTTP/\(version)\r\nHost: 127.0.0.1:\(port)\r\n"
                + "Authorization: Bearer \(TestGateway.token)\r\nAccept: text/event-stream\r\n\(fields)\r\n")
        return client
    }

    private static let overSocket = TestGateway.Options(overSocket: true)

    @Test func `an ask is told at once, at each change and at its end, and never its result`() async throws {
        try await withGateway(Self.overSocket) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let client = try await Self.open(gateway, id)
            let first = try await client.receive(through: "\n\n")
            let head = first
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains("content-type: text/event-stream\r\n"))
            #expect(head.contains("transfer-encoding: chunked\r\n") && head.contains("cache-control: no-store\r\n"))
            #expect(first.contains("event: state\ndata: {\"id\":\"\(id)\""))
            #expect(first.contains("\"state\":\"pending\""))
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.end(0, "approved")
            await gateway.poll(waits: 1)
            #expect(try await client.receive(through: "\n\n").contains("\"state\":\"approved\""))
            gateway.mimiKey.approve()
            await gateway.poll(waits: 1)
            let last = try await client.receive(through: "0\r\n\r\n")
            #expect(last.contains("\"state\":\"completed\"") && last.contains("\"result\":null"))
            #expect(last.contains("\"result_state\":\"held\""))
            #expect(!last.contains("canary"))
            // It was not a delivery: the result is there to be fetched.
            #expect(await gateway.look(id).json["result"]?["item"]?["id"]?.string == "it_1")
        }
    }

    @Test func `it is never silent for more than 15 s, and ends after the caller's longest wait`() async throws {
        try await withGateway(.init(limits: "{ longest_wait: 20s }", overSocket: true)) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let client = try await Self.open(gateway, id)
            _ = try await client.receive(through: "\n\n")
            await gateway.clock.untilSleepers { $0.contains(.seconds(15)) }
            gateway.clock.advance(by: .seconds(15))
            #expect(try await client.receive(through: "\n\n").contains(": waiting\n\n"))
            await gateway.untilHolding(1)
            gateway.clock.advance(by: .seconds(5))
            let last = try await client.receive(through: "0\r\n\r\n")
            #expect(last.contains(": the wait is over, the ask goes on\n\n"))
            #expect(await gateway.look(id).state == "pending")
        }
    }

    @Test func `a shorter wait is applied`() async throws {
        try await withGateway(Self.overSocket) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let client = try await Self.open(gateway, id, fields: "Prefer: wait=0\r\n")
            let all = try await client.receive(through: "0\r\n\r\n")
            #expect(all.contains("preference-applied: wait=0\r\n"))
            #expect(all.contains("event: state\n") && all.contains(": the wait is over"))
        }
    }

    @Test func `to HTTP 1_0 it is not chunked, and ends with the connection`() async throws {
        try await withGateway(Self.overSocket) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            _ = await gateway.cancel(id)
            let all = try await Self.open(gateway, id, version: "1.0").receiveAll()
            #expect(all.contains("connection: close\r\n") && !all.contains("transfer-encoding"))
            #expect(all.hasSuffix("\n\n") && all.contains("\r\n\r\nevent: state\ndata: {"))
        }
    }

    @Test func `H1-38 HEAD gets the head of it`() async throws {
        try await withGateway(Self.overSocket) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let client = try await Self.open(gateway, id, method: "HEAD", fields: "Connection: close\r\n")
            let all = try await client.receiveAll()
            #expect(all.contains("content-type: text/event-stream\r\n"))
            #expect(all.hasSuffix("\r\n\r\n") && !all.contains("event:"))
        }
    }

    @Test func `H1-35 it ends when its reader goes, and the ask goes on`() async throws {
        try await withGateway(Self.overSocket) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let client = try await Self.open(gateway, id)
            _ = try await client.receive(through: "\n\n")
            await gateway.untilPolling(waits: 1)
            client.reset()
            let asks = gateway.responder.services.asks
            while await asks.visitors(of: id) > 0 { await Task.yield() }
            #expect(await gateway.look(id).state == "pending")
        }
    }

    @Test func `LC-08 the gateway's end ends it with a word`() async throws {
        try await withGateway(Self.overSocket) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let client = try await Self.open(gateway, id)
            _ = try await client.receive(through: "\n\n")
            await gateway.untilPolling(waits: 1)
            await gateway.responder.drain()
            #expect(try await client.receive(through: "0\r\n\r\n").contains(": shutting_down\n\n"))
        }
    }

    @Test func `who names no event stream, or JSON as much, gets JSON`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            for accept in ["*/*", "application/json, text/event-stream", "text/html"] {
                let answer = await gateway.send(.get, "/v1/requests/\(id)", fields: [HTTPField("accept", accept)])
                #expect(answer.fields.text("content-type") == "application/json")
            }
            let unknown = await gateway.send(
                .get, "/v1/requests/ask_0123456789abcdefghijkl", fields: [HTTPField("accept", "text/event-stream")])
            #expect(unknown.status == 404)
            #expect(unknown.fields.text("content-type") == "application/problem+json")
        }
    }
}

struct OverviewTests {
    /// The operator's stream; what is written comes out as text.
    private static func watch(
        _ gateway: TestGateway, _ query: String = ""
    ) async throws -> (Pieces, Task<Void, any Error>) {
        let head = RequestHead(
            method: .get, target: .origin(path: "/admin/requests", query: query.isEmpty ? nil : query),
            fields: [HTTPField("host", "localhost"), HTTPField("accept", "text/event-stream")])
        let peer = Peer(
            door: .unix(path: "/run/countersign-test/admin.sock", mode: 0o600),
            credentials: PeerCredentials(uid: TestGateway.owner, pid: 1))
        let response = await gateway.responder.respond(
            to: HTTPRequest(head: head, body: RequestBody(whole: []), peer: peer))
        #expect(response.fields.text("content-type") == "text/event-stream")
        let pieces = Pieces()
        guard case .stream(let produce) = response.body else { throw NoStream() }
        return (
            pieces,
            Task {
                defer { pieces.close() }
                try await produce(pieces)
            }
        )
    }

    private struct NoStream: Error {}

    @Test func `the operator sees every open ask at once and every change, of every caller`() async throws {
        try await withGateway { gateway in
            let mine = try #require(await gateway.ask().string("id"))
            let (pieces, reading) = try await Self.watch(gateway)
            let first = try #require(await pieces.next())
            #expect(first.hasPrefix("event: ask\ndata: {\"id\":\"\(mine)\""))
            #expect(first.contains("\"caller\":\"agent\""))
            let other = try #require(await gateway.ask(token: TestGateway.otherToken).string("id"))
            var text = ""
            while !text.contains("mimikey://request?request_id=rq_2") { text += try #require(await pieces.next()) }
            #expect(text.contains(other) && text.contains("\"caller\":\"other\""))
            gateway.mimiKey.approve(1)
            _ = await gateway.cancel(mine)
            await gateway.poll()
            text = ""
            while !text.contains("\"state\":\"cancelled\"") || !text.contains("\"state\":\"completed\"") {
                text += try #require(await pieces.next())
            }
            #expect(!text.contains("canary"))
            await gateway.responder.drain()
            text = ""
            while let piece = await pieces.next() { text += piece }
            #expect(text.hasSuffix(": shutting_down\n\n"))
            try await reading.value
        }
    }

    @Test func `it can be for one state, speaks every 15 s, and ends with its reader`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let (pieces, reading) = try await Self.watch(gateway, "state=denied")
            await gateway.clock.untilSleepers { $0.contains(.seconds(15)) }
            gateway.mimiKey.end(0, "denied")
            async let over = gateway.look(id, wait: 60)
            await gateway.poll(waits: 1)
            #expect(await over.state == "denied")
            #expect(try #require(await pieces.next()).contains("\"state\":\"denied\""))
            await gateway.clock.untilSleepers { $0.contains(.seconds(15)) }
            gateway.clock.advance(by: .seconds(15))
            #expect(await pieces.next() == ": waiting\n\n")
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
        }
    }

    @Test func `what is not told in time is told once, as it is then`() {
        var overview = Overview(changed: [])
        let ids = (0..<1001).map { number in
            AskID(randomBytes: [UInt8](repeating: UInt8(number % 256), count: 15) + [UInt8(number / 256)])
        }
        for id in ids + ids { overview.note(id) }
        #expect(overview.changed == Array(ids.prefix(1000)))
        #expect(overview.take() == ids[0])
        overview.note(ids[0])
        #expect(overview.changed.last == ids[0])
    }
}

/// What a streamed body is written to, piece by piece.
private final class Pieces: BodyWriter {
    private let stream: AsyncStream<String>
    private let pieces: AsyncStream<String>.Continuation

    init() { (stream, pieces) = AsyncStream.makeStream() }

    func write(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        pieces.yield(String(decoding: bytes, as: UTF8.self))
    }

    func close() { pieces.finish() }

    func next() async -> String? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

extension AskBook {
    fileprivate func visitors(of id: String) -> Int { AskID(id).flatMap { entries[$0]?.visitors } ?? 0 }
}
