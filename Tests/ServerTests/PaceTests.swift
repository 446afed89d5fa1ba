import Core
import Foundation
import Server
import TestSupport
import Testing
import Transport

/// Peers that are slower than the limits allow.
@Suite(.timeLimit(.minutes(2))) struct PaceTests {
    private static func limits(_ pace: Pace) -> ServerLimits {
        var limits = ServerLimits.patient
        limits.pace = pace
        return limits
    }

    private static let collecting: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
        let body = try? await request.body.collect(upTo: 100_000)
        return .text("<\(body?.count ?? -1)>")
    }

    @Test func `H1-32 the slowest pace is 256 bytes a second`() {
        #expect(ServerLimits().pace == Pace(bytes: 1280, in: .seconds(5)))
    }

    @Test(arguments: ["Content-Length: 1000", "Transfer-Encoding: chunked"])
    func `H1-32 a body that comes byte by byte is cut with 408`(_ framing: String) async throws {
        try await withServer(limits: Self.limits(Pace(bytes: 1280, in: .seconds(1))), Self.collecting) { port in
            let crowd = Crowd(port: port)
            try await crowd.join(20, saying: "POST / HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n1")
            // Bytes that keep coming do not extend the time: at this rate the body would take minutes.
            let ends = try await crowd.untilEnded(within: .seconds(60), saying: "0", every: .milliseconds(200))
            #expect(ends.count == 20)
            for end in ends {
                #expect(end.received.hasPrefix("HTTP/1.1 408") && end.received.contains("connection: close\r\n"))
                #expect(end.received.count(of: "HTTP/1.1") == 1 && !end.received.contains("<"))
            }
        }
    }

    @Test func `only what has moved begins a period anew, and only our waiting counts`() {
        let now = Instant(nanoseconds: 1_000_000_000)
        var pace = Pace(bytes: 10, in: .seconds(5))
        #expect(pace.deadline(from: now) == now + .seconds(5))
        pace.add(4, waited: .seconds(3))
        #expect(pace.deadline(from: now + .seconds(60)) == now + .seconds(62))
        pace.add(5, waited: .seconds(2))
        #expect(pace.deadline(from: now) == now)
        pace.add(1, waited: .zero)
        #expect(pace.deadline(from: now) == now + .seconds(5))
    }

    @Test(arguments: [true, false])
    func `H1-32 an answer that is not taken is cut and told so`(_ isStreamed: Bool) async throws {
        let outcome = Event<Bool>()
        let piece = [UInt8](repeating: 65, count: 1 << 20)
        let body: ResponseBody =
            isStreamed
            ? .stream { writer in while true { try await writer.write(piece) } }
            : .bytes([UInt8](repeating: 65, count: 32 << 20))
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            HTTPResponse(status: 200, body: body, delivered: { outcome.happened($0) })
        }
        try await withServer(limits: Self.limits(Pace(bytes: 1280, in: .milliseconds(300))), respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await outcome.next() == false)
        }
    }

    @Test func `H1-32 a reader of one byte now and then is cut`() async throws {
        let outcome = Event<Bool>()
        let body = [UInt8](repeating: 65, count: 8 << 20)
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            HTTPResponse(status: 200, body: .bytes(body), delivered: { outcome.happened($0) })
        }
        try await withServer(limits: Self.limits(Pace(bytes: 1280, in: .milliseconds(500))), respond) { port in
            let client = try await RawSocket.connect(port: port)
            // The smallest window that the kernel gives.
            var size: Int32 = 1
            setsockopt(client.descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let reader = Task {
                var byte: UInt8 = 0
                while !Task.isCancelled {
                    recv(client.descriptor, &byte, 1, Int32(MSG_DONTWAIT))
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            #expect(await outcome.next() == false)
            reader.cancel()
        }
    }

    @Test func `a reader that pauses for less than a period gets the whole of it`() async throws {
        let body = [UInt8](repeating: 65, count: 4 << 20)
        try await withServer(
            limits: Self.limits(Pace(bytes: 1280, in: .seconds(20))),
            { _ in HTTPResponse(status: 200, body: .bytes(body)) }
        ) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            while try Self.sendQueue(of: port) == 0 { await Task.yield() }
            #expect(try await client.receiveAll().body.utf8.count == body.count)
        }
    }

    @Test func `H1-32 what waits of an answer for a slow reader is at most 256 KiB`() async throws {
        let piece = [UInt8](repeating: 65, count: 1 << 20)
        let isBlocked = Event<Void>()
        let body = ResponseBody.stream { writer in
            isBlocked.happened(())
            while true { try await writer.write(piece) }
        }
        try await withServer(limits: .patient, { _ in HTTPResponse(status: 200, body: body) }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await isBlocked.next()
            // Until both kernels' buffers are full nothing can be said; then the queue stands still.
            var queue = -1
            var last = -2
            while queue != last || queue <= 0 {
                last = queue
                try await Task.sleep(for: .milliseconds(50))
                queue = try Self.sendQueue(of: port)
            }
            #expect(queue <= 256 << 10)
            client.reset()
        }
    }

    /// Bytes that the kernel holds for the peers of a port's connections.
    private static func sendQueue(of port: UInt16) throws -> Int {
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
        let local = ":" + String(format: "%04X", port)
        var most = 0
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ")
            // sl, local_address, rem_address, st (01: established), tx_queue:rx_queue
            guard words.count > 4, words[1].hasSuffix(local), words[3] == "01" else { continue }
            most = max(most, Int(words[4].prefix { $0 != ":" }, radix: 16) ?? 0)
        }
        return most
    }
}
