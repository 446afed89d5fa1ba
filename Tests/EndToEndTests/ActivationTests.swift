import Core
import Foundation
import TestSupport
import Testing

/// Socket activation: another process listens, and the gateway inherits the sockets.
@Suite(.timeLimit(.minutes(5))) struct SocketActivationTests {
    /// What systemd does, in a few lines: each argument before `--` is `tcp:ADDRESS:PORT`, `unix:MODE:PATH` or, to be
    /// refused, `udp:…` and `shared:…`; what stands after it is run with the sockets from descriptor 3 on.
    private static let launcher = """
        import os, socket, sys
        split = sys.argv.index("--")
        sockets = []
        for entry in sys.argv[1:split]:
            kind, first, second = entry.split(":")
            if kind == "unix":
                s = socket.socket(socket.AF_UNIX)
                os.umask(0o777 & ~int(first, 8))
                s.bind(second)
            else:
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
                if kind == "shared": s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                s.bind((first, int(second)))
            if kind != "udp": s.listen(64)
            sockets.append(os.dup2(s.fileno(), 100 + len(sockets)))
        for number, s in enumerate(sockets): os.dup2(s, 3 + number, inheritable=True)
        os.environ.update(
            LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(sockets)),
            LISTEN_FDNAMES=":".join(f"s{n}" for n in range(len(sockets))))
        os.umask(0o022)
        os.execvp(sys.argv[split + 1], sys.argv[split + 1:])
        """

    private static func launch(_ sockets: [String], _ file: String, in home: Home) throws -> Running {
        try Running(
            "python3", ["-c", launcher] + sockets + ["--", "countersign", "serve", "--config", file], in: home)
    }

    @Test(arguments: [false, true])
    func `LC-16 passed sockets and plain ones have the same permissions and Host rules`(isPassed: Bool) async throws {
        let place = try SharedPlace()
        let home = try Home()
        let port = try Ports.free()
        let agent = place.path("agent.sock")
        let third = place.path("third.sock")
        let admin = home.directory + "/run/admin.sock"
        let file = try home.configure(
            listen: """
                  - tcp: 127.0.0.1:\(port)
                    hosts: [countersign:\(port)]
                  - { unix: \(agent), caller: agent }
                  - { unix: \(third), caller: agent, allow_uids: [\(OtherUser.third)], mode: "0666" }
                """, admin: admin)
        try FileManager.default.createDirectory(
            atPath: home.directory + "/run", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let gateway =
            isPassed
            ? try Self.launch(
                ["tcp:127.0.0.1:\(port)", "unix:600:\(agent)", "unix:666:\(third)", "unix:600:\(admin)"], file, in: home
            )
            : try home.start("serve", "--config", file)
        for address in ["http://127.0.0.1:\(port)", agent, third, admin] {
            try await gateway.says("countersign: listening on \(address)")
        }

        #expect(place.status("agent.sock")?.mode == 0o600)
        #expect(place.status("third.sock")?.mode == 0o666)
        #expect(try home.mode(admin) == 0o600)
        let url = "http://127.0.0.1:\(port)"
        for (host, status) in [
            ("127.0.0.1:\(port)", 200), ("localhost:\(port)", 200), ("[::1]:\(port)", 200),
            ("countersign:\(port)", 200), ("0.0.0.0:\(port)", 403), ("localhost", 403), ("evil.test:\(port)", 403),
            ("127.0.0.1:\(port + 1)", 403),
        ] {
            #expect(try await home.curl("-H", "Host: \(host)", url + "/healthz").status == status, "\(host)")
        }
        #expect(try await home.curl(url + "/v1/whoami").status == 401)
        for (path, target, host, status) in [
            (agent, "/v1/whoami", "localhost", 200), (agent, "/admin/grant", "localhost", 404),
            (agent, "/v1/whoami", "evil.test", 403), (admin, "/admin/grant", "localhost", 200),
            (admin, "/v1/whoami", "localhost", 404), (admin, "/admin/grant", "127.0.0.1:\(port)", 403),
        ] {
            let answer = try await home.curl("--unix-socket", path, "-H", "Host: \(host)", "http://localhost\(target)")
            #expect(answer.status == status, "\(path) \(target) \(host)")
        }
        let barred = try await OtherUser.run(
            "print(json.dumps(ask(dial(sys.argv[1]), 'GET', '/v1/whoami')))", third, in: home
        ).finished()
        #expect(barred.line == "null")
        if OtherUser.isReal {
            let shutOut = try await OtherUser.run(
                """
                become(int(sys.argv[1]))
                try:
                    dial(sys.argv[2])
                    print("in")
                except PermissionError: print("out")
                """, "\(OtherUser.id)", agent, in: home
            ).finished()
            #expect(shutOut.line == "out")
        }

        #expect(await gateway.end().status == 0)
        // Who passed a socket goes on listening on it, so its file stays.
        #expect((place.status("agent.sock") != nil) == isPassed)
        #expect(FileManager.default.fileExists(atPath: admin) == isPassed)
    }

    @Test(arguments: [
        ("tcp:0.0.0.0:{port}", "listens on every address", "ListenStream=127.0.0.1:"),
        ("tcp:127.0.0.2:{port}", "which the configuration does not name", "under `listen`"),
        ("udp:127.0.0.1:{port}", "no stream socket that listens", "Accept=no"),
        ("shared:127.0.0.1:{port}", "SO_REUSEPORT", "ReusePort=no"),
        ("unix:666:{place}/agent.sock", "wider than 0600", "SocketMode=0600"),
        ("unix:600:{place}/other.sock", "which the configuration does not name", "under `listen`"),
    ])
    func `LC-16 a passed socket that would let in more is a start that fails with a fix`(
        socket: String, detail: String, hint: String
    ) async throws {
        let place = try SharedPlace()
        let home = try Home()
        let port = try Ports.free()
        let file = try home.configure(
            listen: """
                  - { tcp: 127.0.0.1:\(port) }
                  - { unix: \(place.path("agent.sock")), caller: agent }
                """)
        let passed = socket.replacing("{port}", with: "\(port)").replacing("{place}", with: place.directory)
        let refused = await (try Self.launch([passed], file, in: home)).finished()
        #expect(refused.status == 7)
        #expect(refused.errors.contains("`s0`"))
        #expect(refused.errors.contains(detail), "\(refused.errors)")
        #expect(refused.errors.contains(hint), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.directory + "/run/admin.sock"))
    }
}
