import Core
import Foundation
import Server
import Synchronization
import TestSupport
import Testing
import Transport

/// A responder made of a closure.
struct Answering: Responder {
    let body: @Sendable (HTTPRequest) async -> HTTPResponse

    init(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) { self.body = body }

    func respond(to request: HTTPRequest) async -> HTTPResponse { await body(request) }
}

extension HTTPResponse {
    static func text(_ text: String, status: HTTPStatus = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: .bytes(Array(text.utf8)))
    }
}

extension ServerLimits {
    /// Time limits that no test reaches, however busy the machine is. What tests a limit sets its own.
    static let patient: ServerLimits = {
        var limits = ServerLimits()
        limits.firstByte = .seconds(600)
        limits.head = .seconds(600)
        limits.body = .seconds(600)
        limits.idle = .seconds(600)
        limits.write = .seconds(600)
        limits.pace = Pace(bytes: 1, in: .seconds(600))
        limits.porchHead = .seconds(600)
        return limits
    }()
}

/// A server on a free port for the length of the closure; its port.
func withServer(
    limits: ServerLimits = .patient, loops count: Int = 1,
    answersWhenFull: @escaping @Sendable (RequestHead) -> Bool = { _ in false }, log: @escaping LogSink = { _ in },
    _ respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse, _ body: (UInt16) async throws -> Void
) async throws {
    let loops = try (1...count).map { try EventLoop(name: "test server \($0)") }
    let server = HTTPServer(
        loops: loops, limits: limits, responder: Answering(respond), answersWhenFull: answersWhenFull, log: log)
    do {
        let address = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0)))
        guard case .tcp(let bound) = address else { throw RawSocket.Failure(code: 0, doing: "listening") }
        try await body(bound.port)
    } catch {
        await server.shutDown(grace: .zero)
        for loop in loops { await loop.stop() }
        throw error
    }
    await server.shutDown(grace: .seconds(5))
    for loop in loops { await loop.stop() }
}

/// Sends `text` to a new connection and gives all that comes back until the server ends it.
func exchange(_ port: UInt16, _ text: String) async throws -> String {
    let client = try await RawSocket.connect(port: port)
    try await client.send(text)
    return try await client.receiveAll()
}

extension String {
    func count(of part: String) -> Int { components(separatedBy: part).count - 1 }

    /// What follows the head of the only answer.
    var body: String { components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }
}

func setSendLimit(_ client: RawSocket, milliseconds: Int) {
    var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setsockopt(client.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
}
