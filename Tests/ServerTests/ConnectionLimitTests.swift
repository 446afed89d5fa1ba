import Core
import Foundation
import Server
import TestSupport
import Testing
import Transport

/// All connections are in use.
struct ConnectionLimitTests {
    private static let request = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private static func limits(_ connections: Int) -> ServerLimits {
        var limits = ServerLimits.patient
        limits.connections = connections
        return limits
    }

    @Test(arguments: [1, 3]) func `who waits for its next request makes room, longest first`(_ loops: Int) async throws
    {
        try await withServer(limits: Self.limits(3), loops: loops, { .text($0.head.path) }) { port in
            var clients: [RawSocket] = []
            for _ in 0..<3 {
                let client = try await RawSocket.connect(port: port)
                try await client.send(Self.request)
                _ = try await client.receive(through: "\r\n\r\n/a")
                clients.append(client)
            }
            for oldest in clients {
                let next = try await RawSocket.connect(port: port)
                #expect(try await oldest.receiveAll() == "")
                try await next.send(Self.request)
                #expect(try await next.receive(through: "\r\n\r\n/a").hasPrefix("HTTP/1.1 200"))
                clients.append(next)
            }
        }
    }

    @Test func `who has said nothing yet makes room`() async throws {
        try await withServer(limits: Self.limits(1), { .text($0.head.path) }) { port in
            let silent = try await RawSocket.connect(port: port)
            let other = try await RawSocket.connect(port: port)
            #expect(try await silent.receiveAll() == "")
            try await other.send(Self.request)
            _ = try await other.receive(through: "\r\n\r\n/a")
        }
    }

    @Test(arguments: [1, 2])
    func `while all are being served another is answered 503, and asked for its health it is answered`(
        _ loops: Int
    ) async throws {
        let gate = Event<Void>()
        let started = Event<Void>()
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            if request.head.path == "/slow" {
                started.happened(())
                _ = await gate.next()
            }
            return .text(request.head.path)
        }
        try await withServer(
            limits: Self.limits(2), loops: loops, answersWhenFull: { $0.path == "/healthz" }, respond
        ) { port in
            var busy: [RawSocket] = []
            for _ in 0..<2 {
                let client = try await RawSocket.connect(port: port)
                try await client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                await started.next()
                busy.append(client)
            }
            for _ in 0..<3 {
                let refused = try await exchange(port, Self.request + Self.request)
                #expect(refused.hasPrefix("HTTP/1.1 503") && refused.count(of: "HTTP/1.1 ") == 1)
                #expect(refused.contains("\"error\":\"too_many_connections\""))
                #expect(refused.contains("retry-after: 1\r\n") && refused.contains("connection: close\r\n"))
                let head = try await exchange(port, "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(head.hasPrefix("HTTP/1.1 503") && head.body.isEmpty)
                let health = try await exchange(port, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(health.hasPrefix("HTTP/1.1 200") && health.contains("connection: close\r\n"))
            }
            for _ in busy { gate.happened(()) }
            for client in busy { _ = try await client.receive(through: "\r\n\r\n/slow") }
        }
    }

    @Test func `silent connections do not keep health from being answered`() async throws {
        let gate = Event<Void>()
        let started = Event<Void>()
        var limits = Self.limits(1)
        limits.porch = 4
        limits.porchHead = .seconds(30)
        let respond: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            if request.head.path == "/slow" {
                started.happened(())
                _ = await gate.next()
            }
            return .text(request.head.path)
        }
        try await withServer(limits: limits, answersWhenFull: { $0.path == "/healthz" }, respond) { port in
            let busy = try await RawSocket.connect(port: port)
            try await busy.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            await started.next()
            var silent: [RawSocket] = []
            for number in 0..<20 {
                silent.append(try await RawSocket.connect(port: port))
                // It may have had to go already.
                if number.isMultiple(of: 2) { try? await silent[number].send("GET /a") }
            }
            // The first ones go, whether they have begun or not.
            for gone in silent.prefix(10) { #expect(try await end(of: gone)) }
            let health = try await exchange(port, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(health.hasPrefix("HTTP/1.1 200"))
            gate.happened(())
            _ = try await busy.receive(through: "\r\n\r\n/slow")
        }
    }

    @Test func `in the porch there is little time`() async throws {
        let gate = Event<Void>()
        let started = Event<Void>()
        var limits = Self.limits(1)
        limits.porchHead = .milliseconds(50)
        try await withServer(
            limits: limits,
            { _ in
                started.happened(())
                _ = await gate.next()
                return .text("<>")
            }
        ) { port in
            let busy = try await RawSocket.connect(port: port)
            try await busy.send(Self.request)
            await started.next()
            #expect(try await exchange(port, "") == "")
            // On a busy machine the time may be over before the bytes are there.
            let unfinished = try await exchange(port, "GET / HT")
            #expect(unfinished.isEmpty || unfinished.hasPrefix("HTTP/1.1 408"))
            gate.happened(())
            _ = try await busy.receive(through: "<>")
        }
    }

    @Test func `who fills all others does not lock the operator out`() async throws {
        let directory = "/tmp/countersign-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (agents, operators) = (directory + "/agents.sock", directory + "/operators.sock")
        let loops = [try EventLoop(name: "test server"), try EventLoop(name: "test server")]
        var limits = Self.limits(3)
        limits.connectionsPerUser = 2
        limits.reserved = 1
        let gate = Event<Void>()
        let started = Event<Void>()
        let server = HTTPServer(
            loops: loops, limits: limits,
            responder: Answering { _ in
                started.happened(())
                _ = await gate.next()
                return .text("<>")
            })
        let bound = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0)))
        guard case .tcp(let tcp) = bound else { return }
        _ = try await server.listen(.unix(path: agents, mode: 0o600))
        _ = try await server.listen(.unix(UnixAddress(path: operators, mode: 0o600, hasReserve: true)))

        var busy: [RawSocket] = []
        func begin(_ client: RawSocket) async throws {
            try await client.send(Self.request)
            await started.next()
            busy.append(client)
        }
        func isRefused(_ client: RawSocket) async throws -> Bool {
            try await client.send(Self.request)
            return try await client.receiveAll().hasPrefix("HTTP/1.1 503")
        }
        for _ in 0..<2 { try await begin(try await RawSocket.connect(path: agents)) }
        #expect(try await isRefused(try await RawSocket.connect(path: agents)))
        try await begin(try await RawSocket.connect(port: tcp.port))
        #expect(try await isRefused(try await RawSocket.connect(port: tcp.port)))
        try await begin(try await RawSocket.connect(path: operators))
        #expect(try await isRefused(try await RawSocket.connect(path: operators)))
        for _ in busy { gate.happened(()) }
        for client in busy { _ = try await client.receive(through: "<>") }
        await server.shutDown(grace: .seconds(5))
        for loop in loops { await loop.stop() }
    }

    /// Whether the server has ended the connection without an answer to a request, in order or with a reset.
    private func end(of client: RawSocket) async throws -> Bool {
        do {
            let left = try await client.receiveAll()
            return left.isEmpty || left.hasPrefix("HTTP/1.1 408")
        } catch let error as RawSocket.Failure {
            return error.code == ECONNRESET
        }
    }
}
