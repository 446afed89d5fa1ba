import Core
import Foundation
import Server
import Synchronization
import TestSupport
import Testing
import Transport

/// A directory of its own for each test; gone afterwards.
struct UnixSocketTests: ~Copyable {
    private let directory: String

    init() throws {
        directory = "/tmp/countersign-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private var path: String { directory + "/a.sock" }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private func server() throws -> HTTPServer {
        try HTTPServer(
            responder: Answering { request in
                .text(
                    "uid \(request.peer.credentials.map { Int($0.uid) } ?? -1) pid \(request.peer.credentials?.pid ?? 0)"
                )
            })
    }

    @Test(arguments: [0o600, 0o660, 0o666, 0o400] as [UInt16])
    func `the socket has the mode that was asked for`(_ mode: UInt16) async throws {
        let server = try server()
        #expect(try await server.listen(.unix(path: path, mode: mode)) == .unix(path: path, mode: mode))
        #expect(self.mode(path) == UInt32(mode))
        await server.shutDown(grace: .zero)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a user who is not let in is hung up on before a byte is read`() async throws {
        let log = EventList()
        let asked = EventList()
        let server = try HTTPServer(
            responder: Answering { _ in
                asked.append("a request")
                return .text("")
            },
            log: { log.append("\($0.level) \($0.message) \($0.values[0].value)") })
        let address = UnixAddress(path: path, mode: 0o600, users: [getuid() + 1])
        #expect(try await server.listen(.unix(address)) == .unix(address))
        let client = try await RawSocket.connect(path: path)
        // Whether it is sent at all depends on who is quicker; it is never answered.
        try? await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(((try? await client.receiveAll()) ?? "").isEmpty)
        #expect(asked.texts.isEmpty)
        #expect(log.texts == ["warning connection of another user refused integer(\(getuid()))"])
        await server.shutDown(grace: .zero)
    }

    @Test func `the file is given to the group before anybody can connect`() async throws {
        // Root can give it to any group; everybody else to one of their own.
        let group = geteuid() == 0 ? 12345 : getegid()
        let server = try server()
        _ = try await server.listen(.unix(UnixAddress(path: path, mode: 0o660, group: group)))
        var status = stat()
        try #require(lstat(path, &status) == 0)
        #expect(status.st_gid == group)
        #expect(status.st_mode & 0o7777 == 0o660)
        await server.shutDown(grace: .zero)
    }

    @Test func `the kernel's word on the peer reaches the responder`() async throws {
        let server = try server()
        _ = try await server.listen(.unix(path: path, mode: 0o600))
        let client = try await RawSocket.connect(path: path)
        try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try await client.receiveAll().body == "uid \(getuid()) pid \(getpid())")
        await server.shutDown(grace: .zero)
    }

    @Test func `the socket of a process that is gone is replaced`() async throws {
        let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        close(stale)
        #expect(FileManager.default.fileExists(atPath: path))

        let server = try server()
        _ = try await server.listen(.unix(path: path, mode: 0o600))
        #expect(mode(path) == 0o600)
        _ = try await RawSocket.connect(path: path)
        await server.shutDown(grace: .zero)
    }

    @Test func `the socket of a living process is left alone`() async throws {
        let first = try server()
        let second = try server()
        _ = try await first.listen(.unix(path: path, mode: 0o600))
        let expected = TransportError(name: "EADDRINUSE", doing: "listening on \(path)")
        await #expect(throws: expected) { _ = try await second.listen(.unix(path: path, mode: 0o600)) }
        _ = try await RawSocket.connect(path: path)
        await second.shutDown(grace: .zero)
        #expect(FileManager.default.fileExists(atPath: path))
        await first.shutDown(grace: .zero)
    }

    @Test func `a file that is no socket is never removed`() async throws {
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        let server = try server()
        let expected = TransportError(name: "EEXIST", doing: "listening on \(path)")
        await #expect(throws: expected) { _ = try await server.listen(.unix(path: path, mode: 0o600)) }
        #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
        await server.shutDown(grace: .zero)
    }

    @Test func `a successor's socket survives the end of its predecessor`() async throws {
        let first = try server()
        let second = try server()
        _ = try await first.listen(.unix(path: path, mode: 0o600))
        try FileManager.default.removeItem(atPath: path)
        _ = try await second.listen(.unix(path: path, mode: 0o600))
        await first.shutDown(grace: .zero)
        _ = try await RawSocket.connect(path: path)
        await second.shutDown(grace: .zero)
    }

    @Test func `a path that does not fit is refused, not cut`() async throws {
        let long = directory + "/" + String(repeating: "a", count: 200)
        let server = try server()
        let expected = TransportError(name: "ENAMETOOLONG", doing: "listening on \(long)")
        await #expect(throws: expected) { _ = try await server.listen(.unix(path: long, mode: 0o600)) }
        await server.shutDown(grace: .zero)
    }
}

private final class EventList: Sendable {
    private let list = Mutex<[String]>([])
    var texts: [String] { list.withLock { $0 } }
    func append(_ text: String) { list.withLock { $0.append(text) } }
}
