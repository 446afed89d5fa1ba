import Core
import Foundation
import Synchronization
import TestSupport
import Testing
import Transport
import Upstream

/// What answers is no service with TLS as it should be. Of the request nothing leaves.
struct BadHandshakeTests {
    /// A client that speaks TLS to a listener whose every byte the test decides.
    private func withListener(
        _ body: (RawSocket.RawListener, UpstreamClient) async throws -> Void
    ) async throws {
        let (listener, port) = try RawSocket.listen()
        let nobody = TLSTrust(try TLSAuthorities(pem: try await TestPKI.standard().bytes(of: "root.pem")))
        try await withClient(of: "mimikey.test", port, trusting: nobody) { try await body(listener, $0) }
    }

    private func expect(
        _ reason: SendFailure.Reason, limits: ExchangeLimits = .standard,
        when service: @escaping @Sendable (RawSocket) async throws -> Void
    ) async throws {
        try await withListener { listener, client in
            let response = Task { try await client.send(.post("{}", limits: limits)) }
            let connection = try await listener.accept()
            try await service(connection)
            await #expect(throws: SendFailure(reason, bytesMayHaveLeft: false)) { _ = try await response.value }
            // The client has ended the connection.
            while let bytes = try? await connection.receive(), !bytes.isEmpty {}
        }
    }

    @Test func `a service that is silent is given up at the limit of the handshake`() async throws {
        try await expect(.tls(.timedOut), limits: .with { $0.tls = .milliseconds(50) }) { _ in }
    }

    @Test func `a handshake that trickles is given up at the same limit`() async throws {
        try await expect(.tls(.timedOut), limits: .with { $0.tls = .milliseconds(200) }) { connection in
            // A record that would go on for long; the client ends it first.
            try await connection.send([0x16, 0x03, 0x03, 0x3F, 0xFF, 0x02, 0x00, 0x3F, 0xFB])
            while (try? await connection.send([0])) != nil {}
        }
    }

    @Test func `a service that ends in the midst of the handshake counts as not reached`() async throws {
        try await expect(.connectFailed) { connection in
            _ = try await connection.receive()
            connection.close()
        }
        try await expect(.connectFailed) { connection in
            _ = try await connection.receive()
            try await connection.send([0x16, 0x03, 0x03, 0x00])
            connection.close()
        }
        try await expect(.connectFailed) { connection in
            _ = try await connection.receive()
            connection.reset()
        }
    }

    @Test(arguments: [
        Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8): TLSFault.notTLS,
        Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8): .notTLS,
        [UInt8](repeating: 0, count: 64): .notTLS,
        // A record of 65,535 bytes.
        [0x16, 0x03, 0x03, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 100): .other,
        // A handshake message that is no ServerHello.
        [0x16, 0x03, 0x03, 0x00, 0x04, 0x0B, 0x00, 0x00, 0x00]: .other,
        // The alerts `handshake_failure` and `protocol_version`.
        [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 40]: .other,
        [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 70]: .protocolVersion,
    ])
    func `what makes no sense ends the handshake at once`(_ bytes: [UInt8], _ fault: TLSFault) async throws {
        try await expect(.tls(fault)) { connection in
            _ = try await connection.receive()
            try await connection.send(bytes)
        }
    }

    @Test func `a service that chooses a protocol that was not offered is refused`() async throws {
        try await withTLSService("other-protocol") { _, client in
            await #expect(throws: SendFailure(.tls(.other), bytesMayHaveLeft: false)) { try await client.send(.get()) }
        }
    }

    @Test func `http/1.1 is offered`() async throws {
        let pki = try await TestPKI.standard()
        let nginx = try await Nginx(
            pki, certificate: "good", server: "location / { return 200 \"$ssl_alpn_protocol\"; }")
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust()) { client in
            let text = try await client.send(.get()).text
            #expect(text == "http/1.1")
        }
    }

    @Test func `a cancelled handshake ends at once`() async throws {
        try await withListener { listener, client in
            let response = Task { try await client.send(.get()) }
            let connection = try await listener.accept()
            _ = try await connection.receive()
            response.cancel()
            await #expect(throws: SendFailure(.cancelled, bytesMayHaveLeft: false)) { _ = try await response.value }
            #expect(try await connection.receive().isEmpty)
        }
    }

    @Test func `a loop that stops does not wait for a handshake that is stalled`() async throws {
        let (listener, port) = try RawSocket.listen()
        let loop = try EventLoop(name: "test client")
        let client = try UpstreamClient(
            .origin(Origin(scheme: .https, host: "127.0.0.1", port: port)), on: loop,
            trusting: try await TestPKI.standard().trust())
        let limits = ExchangeLimits.with {
            $0.tls = .seconds(600)
            $0.total = .seconds(600)
        }
        let response = Task { try await client.send(.get(limits: limits)) }
        let connection = try await listener.accept()
        _ = try await connection.receive()
        await loop.stop()
        await #expect(throws: SendFailure(.connectFailed, bytesMayHaveLeft: false)) { _ = try await response.value }
    }
}
