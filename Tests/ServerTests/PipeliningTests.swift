import Core
import Foundation
import Server
import Synchronization
import TestSupport
import Testing

struct PipeliningTests {
    @Test func `H1-26 a hundred requests in one packet get a hundred answers in order`() async throws {
        try await withServer({ .text("<\($0.head.path)>") }) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send((0..<100).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            let answers = try await client.receive(through: "</99>")
            let order = answers.components(separatedBy: "<").dropFirst().map { $0.prefix { $0 != ">" } }
            #expect(order.map(String.init) == (0..<100).map { "/\($0)" })
        }
    }

    @Test func `H1-26 what is sent ahead waits for the answer before it`() async throws {
        let gate = Event<Void>()
        let reached = Event<String>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            reached.happened(request.head.path)
            if request.head.path == "/slow" { _ = await gate.next() }
            let body = (try? await request.body.collect(upTo: 100)) ?? []
            return .text(request.head.path + String(decoding: body, as: UTF8.self))
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send(
                "GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /next HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n!!!")
            #expect(await reached.next() == "/slow")
            gate.happened(())
            let answers = try await client.receive(through: "/next!!!")
            #expect(answers.count(of: "HTTP/1.1 200 OK") == 2)
        }
    }

    @Test func `H1-26 of a flood sent ahead nothing is executed and little is kept`() async throws {
        let gate = Event<Void>()
        let started = Event<Void>()
        let count = Mutex(0)
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            if count.withLock({
                $0 += 1
                return $0
            }) == 1 {
                started.happened(())
                _ = await gate.next()
            }
            return .text("<>")
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            let request = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"
            try await client.send(request)
            await started.next()
            // The kernel's buffers take some of it; the sender's time limit ends the attempt.
            setSendLimit(client, milliseconds: 500)
            await #expect(throws: RawSocket.Failure.self) {
                try await client.send(String(repeating: request, count: 2_000_000))
            }
            #expect(count.withLock { $0 } == 1)
            #expect(try Self.unread(of: port) > 0, "what we do not read stays with the kernel")
            gate.happened(())
            _ = try await client.receive(through: "<>", times: 999)
        }
        // The connection ends after its thousandth request.
        #expect(count.withLock { $0 } == 1000)
    }

    /// Bytes that have come for a port's connections and that nobody has read.
    private static func unread(of port: UInt16) throws -> Int {
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
        let local = ":" + String(format: "%04X", port)
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ")
            guard words.count > 4, words[1].hasSuffix(local), words[3] == "01" else { continue }
            return Int(words[4].split(separator: ":")[1], radix: 16) ?? 0
        }
        return 0
    }

    @Test func `H1-27 answers before an error are delivered, nothing after it is executed`() async throws {
        let seen = Mutex<[String]>([])
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            seen.withLock { $0.append(request.head.path) }
            return .text(request.head.path)
        }
        try await withServer(respond) { port in
            let good = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }
            let answer = try await exchange(port, good("/a") + good("/b") + "GET /bad\r\n\r\n" + good("/c"))
            #expect(answer.count(of: "HTTP/1.1 200 OK") == 2 && answer.count(of: "HTTP/1.1 400") == 1)
            #expect(answer.count(of: "connection: close") == 1)
        }
        #expect(seen.withLock { $0 } == ["/a", "/b"])
    }

    @Test(arguments: ["collects": true, "ignores": false])
    func `H1-24 H1-25 a body is never taken for a request`(_ reading: (key: String, value: Bool)) async throws {
        let seen = Mutex<[String]>([])
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            seen.withLock { $0.append(request.head.path) }
            if reading.value { _ = try? await request.body.collect(upTo: 100) }
            return .text(request.head.path)
        }
        let smuggled = "GET /admin HTTP/1.1\r\nHost: x\r\n\r\n"
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send(
                "GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(smuggled.utf8.count)\r\n\r\n" + smuggled
                    + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.receive(through: "/b").count(of: "HTTP/1.1 200 OK") == 2)
        }
        #expect(seen.withLock { $0 } == ["/a", "/b"])
    }

    @Test func `H1-44 requests delivered byte by byte are answered the same`() async throws {
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            let body = (try? await request.body.collect(upTo: 100)) ?? []
            return .text("<" + request.head.path + String(decoding: body, as: UTF8.self) + ">")
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            let text =
                "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
                + "PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nfgGET /c HTTP/1.1\r\nHost: x\r\n\r\n"
            for byte in text.utf8 { try await client.send([byte]) }
            let answers = try await client.receive(through: "</c>")
            #expect(answers.contains("</aabcde>") && answers.contains("</bfg>"))
        }
    }
}
