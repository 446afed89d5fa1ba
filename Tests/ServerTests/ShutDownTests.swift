import Core
import Foundation
import Server
import TestSupport
import Testing
import Transport

struct ShutDownTests {
    private static let anyPort = ListenAddress.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0))

    private static func port(_ address: ListenAddress) -> UInt16 {
        if case .tcp(let tcp) = address { tcp.port } else { 0 }
    }

    @Test func `an idle connection ends at once, a running answer is finished`() async throws {
        let gate = Event<Void>()
        let started = Event<Void>()
        let server = try HTTPServer(
            responder: Answering { request in
                if request.head.path == "/slow" {
                    started.happened(())
                    await gate.next()
                }
                return .text(request.head.path)
            })
        let port = Self.port(try await server.listen(Self.anyPort))
        let idle = try await RawSocket.connect(port: port)
        try await idle.send("GET /idle HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await idle.receive(through: "/idle")
        let busy = try await RawSocket.connect(port: port)
        try await busy.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        await started.next()

        async let closing: Void = server.shutDown(grace: .seconds(60))
        #expect(try await idle.receiveAll() == "")
        await #expect(throws: RawSocket.Failure.self) { _ = try await RawSocket.connect(port: port) }
        gate.happened(())
        let answer = try await busy.receiveAll()
        #expect(answer.body == "/slow" && answer.contains("connection: close\r\n"))
        await closing
    }

    @Test func `a connection that is kept ends with the stream that was running`() async throws {
        let gate = Event<Void>()
        let server = try HTTPServer(
            responder: Answering { _ in
                HTTPResponse(
                    status: 200,
                    body: .stream { writer in
                        try await writer.write(Array("first".utf8))
                        await gate.next()
                        try await writer.write(Array("last".utf8))
                    })
            })
        let port = Self.port(try await server.listen(Self.anyPort))
        let idle = try await RawSocket.connect(port: port)
        let client = try await RawSocket.connect(port: port)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await client.receive(through: "first\r\n")

        async let closing: Void = server.shutDown(grace: .seconds(3600))
        // From here on every connection has been told.
        #expect(try await idle.receiveAll() == "")
        gate.happened(())
        #expect(try await client.receiveAll().hasSuffix("last\r\n0\r\n\r\n"))
        await closing
    }

    @Test func `after the grace everything ends`() async throws {
        let started = Event<Void>()
        let server = try HTTPServer(
            responder: Answering { _ in
                started.happened(())
                await Event<Void>().next()
                return .text("too late")
            })
        let client = try await RawSocket.connect(port: Self.port(try await server.listen(Self.anyPort)))
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await started.next()
        await server.shutDown(grace: .milliseconds(20))
        let left = try? await client.receiveAll()
        #expect(left == nil || left == "")
    }

    @Test func `a second call ends everything at once`() async throws {
        let started = Event<Void>()
        let server = try HTTPServer(
            responder: Answering { _ in
                started.happened(())
                await Event<Void>().next()
                return .text("too late")
            })
        let client = try await RawSocket.connect(port: Self.port(try await server.listen(Self.anyPort)))
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await started.next()
        async let first: Void = server.shutDown(grace: .seconds(3600))
        async let second: Void = server.shutDown(grace: .seconds(3600))
        _ = await (first, second)
    }

    @Test func `a port that is taken is said to be`() async throws {
        try await withServer({ _ in .text("hello") }) { port in
            let other = try HTTPServer(responder: Answering { _ in .text("never") })
            let address = TCPAddress(ip: .v4([127, 0, 0, 1]), port: port)
            let expected = TransportError(name: "EADDRINUSE", doing: "listening on 127.0.0.1:\(port)")
            await #expect(throws: expected) { _ = try await other.listen(.tcp(address)) }
            await other.shutDown(grace: .zero)
        }
    }

    @Test func `the server listens on the IPv6 loopback`() async throws {
        let server = try HTTPServer(responder: Answering { _ in .text("hello") })
        let loopback = IPAddress.v6([UInt8](repeating: 0, count: 15) + [1])
        let bound = try await server.listen(.tcp(TCPAddress(ip: loopback, port: 0)))
        let command = Process()
        command.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        command.arguments = ["curl", "-sg", "http://[::1]:\(Self.port(bound))/"]
        let output = Pipe()
        command.standardOutput = output
        let ended = Event<Void>()
        command.terminationHandler = { _ in ended.happened(()) }
        try command.run()
        await ended.next()
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "hello")
        await server.shutDown(grace: .zero)
    }
}
