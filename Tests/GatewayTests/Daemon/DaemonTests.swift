import Core
import Foundation
import Testing
import Upstream

@testable import Gateway

/// The gateway as `serve` starts it: a file, a directory, sockets. The other side does not exist.
struct DaemonTests {
    /// A directory that goes with the test. Its path is short: a Unix socket's is at most 107 bytes.
    private final class Place: Sendable {
        let path: String

        init() throws {
            path = "/tmp/cs-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var socket: String { "\(path)/run/admin.sock" }

        func configuration(listen: String = "127.0.0.1:0", loops: Int = 2) throws -> String {
            let file = "\(path)/countersign.yaml"
            let text = """
                listen: [{ tcp: "\(listen)" }]
                admin: { unix: \(socket) }
                state: \(path)/state
                key: { file: \(path)/master.key }
                mimikey:
                  origin: http://127.0.0.1:9
                  client_id: pmc_test
                  redirect_uri: http://127.0.0.1:7447/callback
                callers: { agent: { tokens: ["sha256:\(String(repeating: "0", count: 64))"], may: [{ ops: [pick_item] }] } }
                loops: \(loops)
                """
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            return file
        }
    }

    private static func start(_ file: String) async throws -> Daemon {
        try await Daemon(configurationFile: file, log: { _ in })
    }

    private static func port(_ daemon: Daemon) throws -> UInt16 {
        let ports = daemon.addresses.compactMap { address -> UInt16? in
            switch address {
            case .tcp(let tcp): tcp.port
            case .unix: nil
            }
        }
        return try #require(ports.first)
    }

    private static func get(_ path: String, from endpoint: Endpoint) async throws -> InboundResponse {
        let client = try UpstreamClient(endpoint)
        let response = try await client.send(OutboundRequest(method: .get, target: path, mayRepeat: false))
        await client.close()
        return response
    }

    @Test func `it answers on TCP and on the operator's socket, and ends when it is told to`() async throws {
        let place = try Place()
        let daemon = try await Self.start(try place.configuration())
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: try Self.port(daemon))
        #expect(try await Self.get("/healthz", from: .origin(origin)).status == 200)
        #expect(try await Self.get("/v1/whoami", from: .origin(origin)).status == 401)
        #expect(try await Self.get("/admin/grant", from: .unix(path: place.socket)).status == 200)
        let attributes = try FileManager.default.attributesOfItem(atPath: place.socket)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        await daemon.shutDown()
        await #expect(throws: SendFailure.self) { try await Self.get("/healthz", from: .origin(origin)) }
    }

    @Test(arguments: [1, 3]) func `every loop answers, and all of them end`(_ loops: Int) async throws {
        let place = try Place()
        let daemon = try await Self.start(try place.configuration(loops: loops))
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: try Self.port(daemon))
        // Connections go to the loop with the fewest, so that of six each loop has its share.
        let clients = try (0..<6).map { _ in try UpstreamClient(.origin(origin)) }
        for client in clients {
            for path in ["/healthz", "/readyz", "/openapi.yaml"] {
                let answer = try await client.send(OutboundRequest(method: .get, target: path, mayRepeat: false))
                #expect(answer.status == (path == "/readyz" ? 503 : 200))
            }
        }
        await daemon.shutDown()
        await #expect(throws: SendFailure.self) { try await Self.get("/healthz", from: .origin(origin)) }
        for client in clients { await client.close() }
    }

    @Test func `it can be started again over the same state`() async throws {
        let place = try Place()
        let file = try place.configuration()
        for _ in 0..<3 {
            let daemon = try await Self.start(file)
            #expect(try await Self.get("/healthz", from: .unix(path: place.socket)).status == 200)
            await daemon.shutDown()
        }
    }

    @Test func `LC-02 an address that is taken is one sentence, and nothing is left listening`() async throws {
        let first = try Place()
        let daemon = try await Self.start(try first.configuration())
        let taken = "127.0.0.1:\(try Self.port(daemon))"
        let second = try Place()
        let failure = await #expect(throws: StartFailure.self) {
            _ = try await Self.start(try second.configuration(listen: taken))
        }
        #expect(failure?.code.rawValue == "address_in_use")
        #expect(failure?.hint != nil)
        #expect(!FileManager.default.fileExists(atPath: second.socket))
        // The lock of its state went with it.
        let third = try await Self.start(try second.configuration())
        await third.shutDown()
        await daemon.shutDown()
    }

    @Test func `LC-02 a state that another process has is refused`() async throws {
        let place = try Place()
        let file = try place.configuration()
        let daemon = try await Self.start(file)
        let failure = await #expect(throws: StartFailure.self) { _ = try await Self.start(file) }
        #expect(failure?.code.rawValue == "state_in_use")
        await daemon.shutDown()
    }

    @Test func `LC-02 a directory of the operator's socket that others can enter is refused with the command`()
        async throws
    {
        let place = try Place()
        let run = "\(place.path)/run"
        try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: run)
        let failure = await #expect(throws: StartFailure.self) { _ = try await Self.start(try place.configuration()) }
        #expect(failure?.hint?.contains("chmod 700 \(run)") == true)
    }

    @Test func `LC-02 a configuration with mistakes is refused with every one of them`() async throws {
        let place = try Place()
        let file = try place.configuration()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("client_id", with: "client").write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let failure = await #expect(throws: StartFailure.self) { _ = try await Self.start(file) }
        #expect(failure?.code.rawValue == "configuration")
        #expect(failure?.detail.split(separator: "\n").count == 2)
    }
}
