import Core
import Foundation
import TestSupport
import Testing
import Upstream

/// Requests and answers through TLS; Python's `ssl` module is the service.
struct TLSExchangeTests {
    private static let large = String(repeating: "0123456789abcdef", count: 65_536)

    private static func echo(_ body: String) -> OutboundRequest {
        var request = OutboundRequest.post(body)
        request.target = "/echo"
        return request
    }

    @Test(arguments: [[], ["tls12"]])
    func `a mebibyte goes there and back`(_ manners: [String]) async throws {
        let service = { (_: Tool, client: UpstreamClient) in
            let answer = try await client.send(Self.echo(Self.large))
            #expect(answer.body.count == 1 << 20)
            #expect(answer.text == Self.large)
        }
        if manners.isEmpty {
            try await withTLSService(body: service)
        } else {
            try await withTLSService("tls12", body: service)
        }
    }

    @Test func `a body that ends with close_notify is taken whole`() async throws {
        try await withTLSService { _, client in
            let text = try await client.send(.get("/until-end")).text
            #expect(text == "hello")
        }
    }

    @Test(arguments: ["/until-cut", "/cut", "/reset", "/damage"])
    func `PX-12 an answer that was cut is never taken for one`(_ target: String) async throws {
        try await withTLSService { _, client in
            await #expect(throws: SendFailure(.closed, bytesMayHaveLeft: true)) { try await client.send(.get(target)) }
        }
    }

    @Test func `a service that announces its end before it has answered has not answered`() async throws {
        try await withTLSService("early-end") { service, client in
            let failure = await #expect(throws: SendFailure.self) { try await client.send(.post("{}")) }
            #expect(failure?.reason == .closed)
        }
    }

    @Test func `a request that dies while it is being sent may have left`() async throws {
        var request = Self.echo(String(repeating: Self.large, count: 16))
        try await withTLSService { _, client in
            request.target = "/reset-upload"
            await #expect(throws: SendFailure(.closed, bytesMayHaveLeft: true)) { try await client.send(request) }
            request.target = "/stall-upload"
            request.limits.total = .seconds(2)
            await #expect(throws: SendFailure(.timedOut, bytesMayHaveLeft: true)) { try await client.send(request) }
        }
    }

    @Test func `requests on one connection follow one another`() async throws {
        try await withTLSService { service, client in
            for _ in 0..<20 {
                let text = try await client.send(.get()).text
                #expect(text == "1")
            }
            let text = try await client.send(Self.echo("hello")).text
            #expect(text == "hello")
            #expect(!service.outputSoFar.contains("connection 2"))
        }
    }

    @Test func `many requests at once share the connections`() async throws {
        try await withTLSService { service, client in
            let bodies = (0..<60).map { "body \($0)" }
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for body in bodies { group.addTask { try await client.send(Self.echo(body)).text } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers == Set(bodies))
            #expect(!service.outputSoFar.contains("connection 33 "))
        }
    }
}
