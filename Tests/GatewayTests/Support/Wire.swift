import Core
import Server
import Transport
import Upstream

@testable import Gateway

/// The responder behind our own server, and our own client before it.
final class Wire: Sendable {
    private let loop: EventLoop
    private let server: HTTPServer
    private let client: UpstreamClient
    /// Of 127.0.0.1.
    let port: UInt16

    init(to responder: GatewayResponder) async throws {
        loop = try EventLoop(name: "test")
        server = HTTPServer(loops: [loop], responder: responder)
        let bound = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0)))
        guard case .tcp(let address) = bound else { preconditionFailure("TCP was asked for") }
        port = address.port
        client = try UpstreamClient(
            .origin(Origin(scheme: .http, host: "127.0.0.1", port: address.port)), on: loop)
    }

    func send(_ method: HTTPMethod, _ target: String, _ fields: HTTPFields, _ body: [UInt8]) async -> Answer {
        var fields = fields
        fields.remove("host")
        do throws(SendFailure) {
            let response = try await client.send(
                OutboundRequest(method: method, target: target, fields: fields, body: body, mayRepeat: false))
            return Answer(status: response.status.code, fields: response.fields, body: response.body)
        } catch {
            return Answer(status: 0, fields: HTTPFields(), body: Array("\(error)".utf8))
        }
    }

    func close() async {
        await client.close()
        await server.shutDown(grace: .zero)
        await loop.stop()
    }
}
