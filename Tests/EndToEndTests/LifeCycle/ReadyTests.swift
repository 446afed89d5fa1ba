import Core
import Foundation
import TestSupport
import Testing

/// What the supervisor is told, and how a start fails.
@Suite(.timeLimit(.minutes(5))) struct ReadyTests {
    @Test(arguments: ["/notify", "@countersign-test-"])
    func `LC-01 READY comes when sockets are bound, the store is open and the rules are read, and needs no MimiKey`(
        _ kind: String
    ) async throws {
        let scene = try await CrashScene(person: "none")
        // Nobody is there to be called.
        await scene.end()
        let name = kind.hasPrefix("/") ? scene.home.directory + kind : kind + UUID().uuidString
        let supervisor = try Supervisor(name)
        let process = try scene.launch("NOTIFY_SOCKET=\(name)")
        #expect(await supervisor.next() == "READY=1")
        // No retry: what was said holds at this moment.
        let caller = try HTTPCaller(port: scene.port, token: scene.token)
        let ready = await caller.send(.get, "/readyz")
        #expect(ready?.json?["store"]?.string == "ok")
        #expect(ready?.json?["policy"]?.string == "ok")
        let operatorDoor = try HTTPCaller(socket: scene.state + "/run/admin.sock")
        #expect(await operatorDoor.send(.get, "/admin/grant")?.status == 200)
        await operatorDoor.close()
        await caller.close()
        process.signal(SIGTERM)
        #expect(await supervisor.next() == "STOPPING=1")
        #expect(await process.finished().status == 0)
    }

    /// What is wrong, the exit status, and what the hint must hold.
    struct Obstacle: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hint: String
        let prepare: @Sendable (CrashScene) throws -> RawSocket.RawListener?
    }

    private static let obstacles = [
        Obstacle(testDescription: "port taken", hint: "another process listens there") { scene in
            try takePort(scene.port)
        },
        Obstacle(testDescription: "socket directory missing", hint: "admin.unix") { scene in
            try edit(scene) { $0.replacing("unix: \(scene.state)/run", with: "unix: \(scene.home.directory)/no/such") }
        },
        Obstacle(testDescription: "bad configuration", hint: "lacks `client_id`") { scene in
            try edit(scene) { $0.replacing("client_id:", with: "client_di:") }
        },
        Obstacle(testDescription: "state that others can enter", hint: "chmod 700") { scene in
            chmod(scene.state, 0o755)
            return nil
        },
        Obstacle(testDescription: "configuration that others can write", hint: "chmod") { scene in
            chmod(scene.home.configuration, 0o666)
            return nil
        },
        Obstacle(
            testDescription: "a file where the operator's socket goes", hint: "something that is no socket is there"
        ) { scene in
            try Data("precious".utf8).write(to: URL(filePath: scene.state + "/run/admin.sock"))
            return nil
        },
    ]

    private static func edit(_ scene: CrashScene, _ change: (String) -> String) throws -> RawSocket.RawListener? {
        _ = try scene.home.write(
            change(try scene.home.text(scene.home.configuration)), to: ".config/countersign/countersign.yaml")
        return nil
    }

    private static func takePort(_ port: UInt16) throws -> RawSocket.RawListener? {
        try RawSocket.listen(on: port)
    }

    @Test(arguments: obstacles)
    func `LC-02 a start that cannot be: status 7, one sentence, the way out, never READY, nothing left`(
        _ obstacle: Obstacle
    ) async throws {
        let scene = try await CrashScene(person: "none")
        await scene.end()
        let taken = try obstacle.prepare(scene)
        let supervisor = try Supervisor(scene.home.directory + "/notify")
        let ended = try await scene.launch("NOTIFY_SOCKET=\(supervisor.name)").finished()
        #expect(ended.status == 7, "\(ended.errors)")
        #expect(ended.output.isEmpty)
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("countersign: ") || $0.hasPrefix("hint: ") }, "\(ended.errors)")
        #expect(ended.errors.contains(obstacle.hint), "\(ended.errors)")
        #expect(supervisor.waiting == nil)
        let socket = scene.state + "/run/admin.sock"
        if FileManager.default.fileExists(atPath: socket) { #expect(try scene.home.text(socket) == "precious") }
        #expect((taken == nil) == Self.isFree(scene.port))
    }

    private static func isFree(_ port: UInt16) -> Bool {
        (try? RawSocket.listen(on: port)) != nil
    }
}

extension RawSocket {
    /// A listener on that port of 127.0.0.1.
    static func listen(on port: UInt16) throws -> RawListener {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let listener = RawListener(taking: descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    && Foundation.listen(descriptor, 8) == 0
            }
        }
        guard bound else { throw Failure(code: errno, doing: "listening") }
        return listener
    }
}
