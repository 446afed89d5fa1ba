import Core
import Foundation
import TestSupport
import Testing
import Transport
import Upstream

extension TestPKI {
    func trust(_ authority: String = "root") throws -> TLSTrust {
        TLSTrust(try TLSAuthorities(pem: bytes(of: authority + ".pem")))
    }
}

/// A client of a service with TLS, for the length of the closure. Every name leads to 127.0.0.1.
func withClient(
    of host: String, _ port: UInt16, trusting trust: TLSTrust, connections: Int = 32,
    resolving lookUp: @escaping LookUp = { _ in [.v4([127, 0, 0, 1])] },
    _ body: (UpstreamClient) async throws -> Void
) async throws {
    let loop = try EventLoop(name: "test client")
    let client = try UpstreamClient(
        .origin(Origin(scheme: .https, host: host, port: port)), on: loop, trusting: trust, resolving: lookUp,
        connections: connections)
    do { try await body(client) } catch {
        await client.close()
        await loop.stop()
        throw error
    }
    await client.close()
    await loop.stop()
}

/// `Servers/tls_service.py` with the certificate `good`, and a client of it that believes `root`.
func withTLSService(
    _ manners: String..., body: (Tool, UpstreamClient) async throws -> Void
) async throws {
    let pki = try await TestPKI.standard()
    let script = try #require(Bundle.module.url(forResource: "Servers/tls_service", withExtension: "py"))
    let service = try Tool(["python3", script.path, pki.path("good.chain.pem"), pki.path("good.key")] + manners)
    let port = try #require(UInt16(try await service.line(after: "port ")))
    try await withClient(of: "mimikey.test", port, trusting: try pki.trust()) { try await body(service, $0) }
}

/// Has `tls_service.py` do what nobody asked for, and waits until that is done.
func doIt(_ service: Tool, on connection: Int, times: Int = 1) async throws {
    let port = try #require(UInt16(try await service.line(after: "control ")))
    let control = try await RawSocket.connect(port: port)
    try await service.says("done \(connection)", times: times)
    control.close()
}

extension InboundResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
