import Core
import Server
import Synchronization
import TestSupport
import Testing

/// Requests that cost too much, and what is no request at all: refused, told so, and the end of the connection.
struct RefusalTests {
    private static let collecting: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
        let body = try? await request.body.collect(upTo: 1 << 20)
        return .text("<\(request.head.path) \(body?.count ?? -1)>")
    }

    private static let follower = "GET /after HTTP/1.1\r\nHost: x\r\n\r\n"

    /// Sends all of it, and gives the one answer that comes.
    private static func refusal(_ bytes: [UInt8]) async throws -> String {
        let answer = Event<String>()
        try await withServer(Self.collecting) { port in
            let conversation = Conversation(pieces: [bytes, Array(Self.follower.utf8)])
            answer.happened(String(decoding: try await conversation.run(port: port), as: UTF8.self))
        }
        return await answer.next() ?? ""
    }

    private static func isLast(_ answer: String, _ status: Int) -> Bool {
        answer.hasPrefix("HTTP/1.1 \(status) ") && answer.count(of: "HTTP/1.1 ") == 1
            && answer.contains("connection: close\r\n") && !answer.contains("<")
    }

    private static func chunked(_ body: String) -> [UInt8] {
        Array(("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body).utf8)
    }

    @Test func `H1-13 a chunk extension of 16 KiB is refused`() async throws {
        let body = "1;\(String(repeating: "a", count: 16 << 10))\r\nx\r\n0\r\n\r\n"
        #expect(Self.isLast(try await Self.refusal(Self.chunked(body)), 400))
    }

    @Test func `H1-13 a hundred thousand chunks of one byte are refused`() async throws {
        let body = String(repeating: "1\r\nx\r\n", count: 100_000) + "0\r\n\r\n"
        #expect(Self.isLast(try await Self.refusal(Self.chunked(body)), 400))
    }

    @Test(arguments: ["get", "G(T", String(repeating: "G", count: 1024), "GET\u{E9}"])
    func `H1-20 a method that is none is refused and never taken for GET`(_ method: String) async throws {
        let answer = try await Self.refusal(Array("\(method) / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(Self.isLast(answer, 400) || Self.isLast(answer, 501))
    }

    @Test func `H1-22 a line, a block and a count beyond their limits have their own answers`() async throws {
        let long = String(repeating: "a", count: 9000)
        let head = { (fields: String) -> [UInt8] in Array("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8) }
        #expect(Self.isLast(try await Self.refusal(Array("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)), 414))
        #expect(Self.isLast(try await Self.refusal(head("A: \(long)\r\nB: \(long)\r\n")), 431))
        let lines = { (count: Int) -> String in (1..<count).map { "A\($0): b\r\n" }.joined() }
        #expect(Self.isLast(try await Self.refusal(head(lines(101))), 431))
        #expect(try await Self.refusal(head(lines(100)) + Array("GET /bad\r\n\r\n".utf8)).contains("</ 0>"))
    }

    @Test func `H1-23 one empty line before a request is passed over, megabytes of them are not`() async throws {
        try await withServer(Self.collecting) { port in
            let client = try await RawSocket.connect(port: port)
            try await client.send("\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.receive(through: "</a 0>").hasPrefix("HTTP/1.1 200"))
        }
        #expect(Self.isLast(try await Self.refusal(Array(String(repeating: "\r\n", count: 1 << 20).utf8)), 400))
    }

    @Test func `H1-15 trailers are dropped and never become fields`() async throws {
        let trailers = [
            "Content-Length: 99", "Host: evil.example", "Authorization: Bearer stolen", "X-PM-Signature: forged",
            "Transfer-Encoding: chunked", "X-Trailer: t",
        ]
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            let body = (try? await request.body.collect(upTo: 100)) ?? []
            let fields = request.head.fields.lines
                .map { field -> String in "\(field.name)=\(String(decoding: field.value, as: UTF8.self))" }
                .joined(separator: "|")
            return .text("<\(String(decoding: body, as: UTF8.self)) \(fields)>")
        }
        try await withServer(respond) { port in
            let client = try await RawSocket.connect(port: port)
            let last = trailers.joined(separator: "\r\n")
            try await client.send(
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\(last)\r\n\r\n")
            #expect(try await client.receive(through: ">").contains("<hi host=x|transfer-encoding=chunked>"))
            // Nor do they stay for the next request.
            try await client.send("GET / HTTP/1.1\r\nHost: y\r\n\r\n")
            #expect(try await client.receive(through: ">").contains("< host=y>"))
        }
    }

    @Test(arguments: [
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\nSec-WebSocket-Version: 13",
        "Connection: Upgrade\r\nUpgrade: TLS/1.2, HTTP/1.1", "Upgrade: h2c",
    ])
    func `H1-41 an offer to change the protocol is passed over`(_ fields: String) async throws {
        try await withServer(Self.collecting) { port in
            let client = try await RawSocket.connect(port: port)
            for _ in 0..<2 {
                try await client.send("GET /a HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n")
                let answer = try await client.receive(through: "</a 0>")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(!answer.lowercased().contains("upgrade"))
            }
        }
    }

    private static let hello: [UInt8] =
        [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + [UInt8](repeating: 7, count: 508)

    private static let noise: [UInt8] = {
        var state: UInt64 = 0xBAD
        return (0..<(1 << 20)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }()

    @Test(arguments: ["TLS", "SSH", "noise", "HTTP/2"])
    func `H1-43 H1-42 what is another protocol is refused with one line of log`(_ kind: String) async throws {
        let bytes =
            switch kind {
            case "TLS": Self.hello
            case "SSH": Array("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n".utf8)
            case "HTTP/2": Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
            default: Self.noise
            }
        let lines = Mutex<[LogEvent]>([])
        try await withServer(log: { line in lines.withLock { $0.append(line) } }, Self.collecting) { port in
            let received = try await Conversation(pieces: [bytes]).run(port: port)
            #expect(Self.isLast(String(decoding: received, as: UTF8.self), 400))
        }
        #expect(lines.withLock { $0.map(\.message.description) } == ["request refused by the server"])
    }
}
