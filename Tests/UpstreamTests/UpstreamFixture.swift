import Core
import Foundation
import TestSupport
import Transport
import Upstream

extension OutboundRequest {
    static func get(
        _ target: String = "/", mayRepeat: Bool = false, limits: ExchangeLimits = .standard
    ) -> OutboundRequest {
        OutboundRequest(method: .get, target: target, mayRepeat: mayRepeat, limits: limits)
    }

    /// One that is sent on a connection of its own.
    static func dear(_ target: String = "/") -> OutboundRequest {
        OutboundRequest(
            method: .post, target: target, body: Array("{}".utf8), mayRepeat: false, wantsNewConnection: true)
    }

    static func post(_ body: String, mayRepeat: Bool = false, limits: ExchangeLimits = .standard) -> OutboundRequest {
        OutboundRequest(method: .post, target: "/", body: Array(body.utf8), mayRepeat: mayRepeat, limits: limits)
    }
}

extension ExchangeLimits {
    static func with(_ change: (inout ExchangeLimits) -> Void) -> ExchangeLimits {
        var limits = ExchangeLimits.standard
        change(&limits)
        return limits
    }
}

extension Endpoint {
    static func loopback(_ port: UInt16) -> Endpoint { .origin(Origin(scheme: .http, host: "127.0.0.1", port: port)) }
}

/// A service whose every byte a test decides, and a client of it, for the length of the closure.
func withService(
    connections: Int = 32, idle: Duration = .seconds(30), backlog: Int32 = 128,
    _ body: (RawSocket.RawListener, UpstreamClient) async throws -> Void
) async throws {
    let (listener, port) = try RawSocket.listen(backlog: backlog)
    let loop = try EventLoop(name: "test client")
    let client = try UpstreamClient(.loopback(port), on: loop, connections: connections, idle: idle)
    do { try await body(listener, client) } catch {
        await client.close()
        await loop.stop()
        throw error
    }
    await client.close()
    await loop.stop()
}

/// Reads one request without a body and answers it with `text`.
func answer(_ connection: RawSocket, _ text: String) async throws {
    _ = try await connection.receive(through: "\r\n\r\n")
    try await connection.send(text)
}

let emptyAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
