import Core
import Foundation
import TestSupport
import Testing
import Transport

@testable import Gateway

/// What becomes of sockets that were passed, decided without one.
struct PassedSocketTests {
    private static let tcp = TCPAddress(ip: .v4([127, 0, 0, 1]), port: 7447)
    private static let agent = UnixAddress(path: "/run/a/agent.sock", mode: 0o660, group: 99, users: [1001])
    private static let wanted: [ListenAddress] = [
        .tcp(tcp), .unix(agent), .unix(UnixAddress(path: "/run/b/admin.sock", mode: 0o600, users: [77, 0])),
    ]

    private static func socket(
        _ place: PassedSocket.Place?, mode: UInt16 = 0o600, owner: UInt32 = 77, group: UInt32 = 99,
        listens: Bool = true, sharesPort: Bool = false, hasFile: Bool = true
    ) -> PassedSocket {
        PassedSocket(
            name: "web", descriptor: 1000, place: place, listens: listens, sharesPort: sharesPort,
            file: hasFile ? PassedSocket.File(mode: mode, owner: owner, group: group) : nil)
    }

    private static func match(_ sockets: PassedSocket...) throws -> PassedSockets {
        try PassedSockets(sockets, for: wanted, owner: 77)
    }

    @Test func `each is found by its address, and what was not passed is bound`() throws {
        let admin = PassedSocket.Place.unix(path: "/run/b/admin.sock")
        let sockets = try Self.match(Self.socket(.tcp(Self.tcp)), Self.socket(admin))
        #expect(sockets[Self.wanted[0]]?.place == .tcp(Self.tcp))
        #expect(sockets[Self.wanted[1]] == nil)
        #expect(sockets[Self.wanted[2]]?.place == admin)
        // Narrower than what is written is not wider; root may have made it.
        _ = try Self.match(Self.socket(.unix(path: Self.agent.path), mode: 0o600, owner: 0, group: 1))
        _ = try Self.match(Self.socket(.unix(path: Self.agent.path), mode: 0o660, owner: 0))
    }

    private static let refused: [(PassedSocket, detail: String, hint: String)] = [
        (
            socket(.tcp(TCPAddress(ip: .v4([0, 0, 0, 0]), port: 7447))), "listens on every address",
            "ListenStream=127.0.0.1:7447"
        ),
        (socket(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 7448))), "127.0.0.1:7448", "under `listen`"),
        (socket(.tcp(TCPAddress(ip: .v4([10, 0, 0, 1]), port: 7447))), "10.0.0.1:7447", "under `listen`"),
        (socket(.tcp(tcp), sharesPort: true), "SO_REUSEPORT", "ReusePort=no"),
        (socket(.tcp(tcp), listens: false), "no stream socket", "ListenStream="),
        (socket(nil), "of another kind", "under `listen`"),
        (socket(.unix(path: "/run/a/other.sock")), "/run/a/other.sock", "under `listen`"),
        (socket(.unix(path: agent.path), hasFile: false), "lost its file", "restart"),
        (socket(.unix(path: agent.path), mode: 0o666), "0666, which is wider than 0660", "SocketMode=0660"),
        (socket(.unix(path: "/run/b/admin.sock"), mode: 0o660), "wider than 0600", "SocketMode=0600"),
        (socket(.unix(path: agent.path), mode: 0o660, group: 98), "group 98", "SocketGroup=99"),
        (socket(.unix(path: agent.path), owner: 1001), "user 1001", "SocketUser=77"),
    ]

    @Test(arguments: refused.indices)
    func `one that is unknown, or wider than what is written, is a start that fails with a fix`(index: Int) throws {
        let (socket, detail, hint) = Self.refused[index]
        let failure = try #require(throws: StartFailure.self) { try Self.match(socket) }
        #expect(failure.detail.contains("`web`"))
        #expect(failure.detail.contains(detail), "\(failure.detail)")
        #expect(failure.hint?.contains(hint) == true, "\(failure.hint ?? "")")
        #expect(failure.code.rawValue == "listen")
    }

    @Test func `two for one address are one too many`() throws {
        let failure = try #require(throws: StartFailure.self) {
            try Self.match(Self.socket(.tcp(Self.tcp)), Self.socket(.tcp(Self.tcp)))
        }
        #expect(failure.detail.contains("second one"))
    }
}

/// The variables of the process are everybody's, so these go one after the other.
@Suite(.serialized) struct ActivationTests {
    /// A number that nothing else in this process has, however many connections other tests hold.
    private static let first: Int32 = Crowd.allowDescriptors(8192) ? 8000 : 900

    private static func take(pid: String? = nil, count: String?, names: String? = nil) throws -> [PassedSocket] {
        setenv("LISTEN_PID", pid ?? "\(getpid())", 1)
        if let count { setenv("LISTEN_FDS", count, 1) }
        if let names { setenv("LISTEN_FDNAMES", names, 1) }
        defer {
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
                #expect(getenv(name) == nil, "\(name) is left for our children")
                unsetenv(name)
            }
        }
        return try Activation.take(from: first)
    }

    @Test func `passed sockets are described by the kernel, and our children do not get them`() throws {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(bound == 0 && listen(socket, 8) == 0)
        try #require(dup2(socket, Self.first) == Self.first && dup2(socket, Self.first + 1) == Self.first + 1)
        defer { for number in [socket, Self.first, Self.first + 1] { close(number) } }
        let passed = try Self.take(count: "2", names: "web:")
        #expect(passed.map(\.name) == ["web", ""])
        #expect(passed.allSatisfy { $0.listens && !$0.sharesPort && $0.file == nil })
        guard case .tcp(let found)? = passed.first?.place else {
            Issue.record("no TCP address")
            return
        }
        #expect(found.ip == .v4([127, 0, 0, 1]))
        #expect(found.port > 0)
        for number in [Self.first, Self.first + 1] {
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        }
    }

    @Test(arguments: ["1", "99999", " ", "0", ""])
    func `what is meant for another process is left alone`(pid: String) throws {
        #expect(try Self.take(pid: pid, count: "1").isEmpty)
    }

    @Test func `without a number there are none`() throws {
        #expect(try Self.take(count: nil).isEmpty)
        #expect(try Self.take(count: "0").isEmpty)
    }

    @Test(arguments: ["-1", "x", "65", "1e9", "99999999999999999999", ""])
    func `a number that is none is a start that fails`(count: String) throws {
        let failure = try #require(throws: StartFailure.self) { try Self.take(count: count) }
        #expect(failure.detail.contains("LISTEN_FDS"))
    }

    @Test func `a descriptor that is not there is a start that fails`() throws {
        let failure = try #require(throws: StartFailure.self) { try Self.take(count: "1") }
        #expect(failure.detail.contains("descriptor \(Self.first) is not open"))
    }
}
