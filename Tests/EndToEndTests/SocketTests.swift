import Core
import Foundation
import TestSupport
import Testing

/// Callers' Unix sockets from outside, with a second user where there can be one.
@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    @Test func `CP-01 the uid is the one at connect time, and no pid is trusted`() async throws {
        let place = try SharedPlace()
        let user = OtherUser.id
        let stage = try await Stage(
            person: "none",
            listen: """
                  - { unix: \(place.path("agent.sock")), caller: agent, allow_uids: [\(user)], mode: "0666" }
                  - { unix: \(place.path("third.sock")), caller: agent, allow_uids: [\(OtherUser.third)], mode: "0666" }
                """, manners: .polite)
        let seen = try await OtherUser.run(
            """
            path, third, user = sys.argv[1], sys.argv[2], int(sys.argv[3])

            def whoami(s): return ask(s, "GET", "/v1/whoami", more="Authorization: Bearer cs_nonsense\\r\\n")

            def as_user():
                become(user)
                return whoami(dial(path))

            def became_it_later():
                # Whoever connects counts, and not who sends. Where nobody can become another: a socket for a third one.
                s = dial(path if os.geteuid() == 0 else third)
                become(user)
                return whoami(s)

            def was_it_before():
                if os.geteuid() == 0: os.seteuid(user)
                s = dial(path)
                if os.getuid() == 0: os.seteuid(0)
                return whoami(s)

            def from_the_dead():
                # The process that connected is gone, and so its pid says nothing: the request is of its child.
                become(user)
                read, write = os.pipe()
                parent = os.fork()
                if parent == 0:
                    s = dial(path)
                    dead = os.getpid()
                    if os.fork() == 0:
                        while os.getppid() == dead: time.sleep(0.001)
                        os.write(write, json.dumps([dead, whoami(s)]).encode())
                    os._exit(0)
                os.waitpid(parent, 0)
                return json.loads(os.read(read, 65536))

            def asked():
                become(user)
                return ask(dial(path), "POST", "/v1/requests", '{"op":"pick_item","reason":"reconcile"}',
                    "Prefer: wait=0\\r\\n")

            work = [as_user, became_it_later, was_it_before, from_the_dead, asked]
            print(json.dumps({w.__name__: apart(w) for w in work}))
            """, place.path("agent.sock"), place.path("third.sock"), "\(user)", in: stage.home
        ).finished()
        #expect(seen.status == 0, "\(seen.errors)")
        let result = try JSONDocument(Array(seen.output.utf8)).root
        for answer in [result["as_user"], result["was_it_before"], result["from_the_dead"]?.elements.last] {
            #expect(answer?.elements.first?.integer == 200)
            let whoami = answer?.elements.last
            #expect(whoami?["caller"]?.string == "agent")
            #expect(whoami?["known_by"]?.string == "socket")
            #expect(whoami?["uid"]?.integer == Int64(user))
        }
        #expect(result["became_it_later"]?.kind == .null)
        #expect(result["asked"]?.elements.first?.integer == 202)
        let cards = try await stage.home.curl("http://127.0.0.1:\(stage.sandboxPort)/_sandbox/requests")
        #expect(
            cards.json?["requests"]?.elements.map { $0["reason"]?.string } == [
                "agent (uid \(user), verified by Countersign) says: \"reconcile\""
            ])

        let log = await stage.gateway.end().errors
        #expect(log.contains("connection of another user refused"))
        // The pid is shown as it was seen, though the process is gone.
        let dead = try #require(result["from_the_dead"]?.elements.first?.integer)
        #expect(log.contains("\"pid\":\(dead)"))
        await stage.end()
    }

    @Test func `CP-02 another user is hung up on unread, and cannot slip in while the gateway starts`() async throws {
        let place = try SharedPlace()
        let home = try Home()
        let port = try Ports.free()
        let own = getuid()
        let file = try home.configure(
            listen: """
                  - { tcp: 127.0.0.1:\(port) }
                  - { unix: \(place.path("own.sock")), caller: agent }
                  - { unix: \(place.path("open.sock")), caller: agent, allow_uids: [\(OtherUser.third)], mode: "0666" }
                """, admin: place.path("run/admin.sock"))
        // Without a second user, only the socket that anybody can reach says something.
        let closed = OtherUser.isReal ? [place.path("own.sock"), place.path("run/admin.sock")] : []
        let intruder = try OtherUser.run(
            """
            user, stop, opened, closed = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4].split()
            become(user)
            attempts = connected = reached = answered = 0
            os.nice(10)
            while attempts < 10000 or not os.path.exists(stop):
                for path in closed + [opened]:
                    s = socket.socket(socket.AF_UNIX)
                    s.settimeout(60)
                    try:
                        s.connect(path)
                        if path == opened:
                            reached += 1
                            s.sendall(b"GET /v1/whoami HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                            answered += len(s.recv(1))
                        else:
                            connected += 1
                    except OSError: pass
                    finally: s.close()
                    attempts += 1
                # Thousands in a second, and something left of the machine for the tests beside this one.
                time.sleep(0.0005)
            print(json.dumps([attempts, connected, reached, answered]))
            """, "\(OtherUser.id)", place.path("stop"), place.path("open.sock"), closed.joined(separator: " "),
            in: home)
        for _ in 0..<5 {
            let gateway = try Running("sh", ["-c", "umask 000; exec countersign serve --config \(file)"], in: home)
            try await gateway.says("listening on http://127.0.0.1:\(port)")
            #expect(place.status("own.sock")?.mode == 0o600)
            #expect(place.status("run/admin.sock")?.mode == 0o600)
            #expect(place.status("run")?.mode == 0o700)
            #expect(place.status("open.sock")?.mode == 0o666)
            let mine = try await home.curl("--unix-socket", place.path("own.sock"), "http://localhost/v1/whoami")
            #expect(mine.json?["uid"]?.integer == Int64(own))
            try await gateway.says("connection of another user refused")
            let log = await gateway.end().errors
            // Only our own request was read.
            #expect(log.components(separatedBy: "\"message\":\"request\"").count - 1 == 1)
            #expect(place.status("own.sock") == nil)
        }
        _ = FileManager.default.createFile(atPath: place.path("stop"), contents: nil)
        let ended = await intruder.finished()
        #expect(ended.status == 0, "\(ended.errors)")
        let counts = try JSONDocument(Array(ended.output.utf8)).root.elements.compactMap(\.integer)
        try #require(counts.count == 4)
        #expect(counts[0] >= 10_000)
        #expect(counts[1] == 0, "connected where the mode shuts them out")
        #expect(counts[2] > 0, "nobody has tried the socket that can be reached")
        #expect(counts[3] == 0, "a byte was answered")
    }

    @Test(arguments: ["", "umask 077;", "umask 000;"])
    func `a socket has the mode and the group that are written, whatever the umask`(umask: String) async throws {
        let place = try SharedPlace()
        let home = try Home()
        let group = geteuid() == 0 ? 54321 : getegid()
        let file = try home.configure(
            listen: """
                  - { unix: \(place.path("a/x.sock")), caller: agent, allow_uids: [1], mode: "0660", group: \(group) }
                """)
        let gateway = try Running("sh", ["-c", "\(umask) exec countersign serve --config \(file)"], in: home)
        try await gateway.says("listening on \(place.path("a/x.sock"))")
        #expect(place.status("a")?.mode == 0o755)
        #expect(place.status("a/x.sock")?.mode == 0o660)
        #expect(place.status("a/x.sock")?.group == group)
        #expect(await gateway.end().status == 0)
    }

    @Test func `CP-03 the socket of a dead process is replaced, that of a living one is left alone`() async throws {
        let place = try SharedPlace()
        let home = try Home()
        let line = "  - { unix: \(place.path("agent.sock")), caller: agent }"
        let file = try home.configure(listen: line)
        let killed = try home.start("serve", "--config", file)
        try await killed.says("listening on \(place.path("agent.sock"))")
        killed.signal(SIGKILL)
        _ = await killed.finished()
        #expect(place.status("agent.sock")?.isSocket == true)

        let first = try home.start("serve", "--config", file)
        try await first.says("listening on \(place.path("agent.sock"))")
        let elsewhere = try home.configure(listen: line, admin: home.directory + "/run2/admin.sock", name: "2.yaml")
        let second = try await home.countersign("serve", "--config", elsewhere)
        #expect(second.status == 7)
        #expect(second.errors.contains("EADDRINUSE"))
        #expect(second.errors.contains("hint: another process listens there"))
        // The operator's socket is no different.
        let third = try await home.countersign(
            "serve", "--config", home.configure(listen: "  - { unix: \(place.path("b.sock")), caller: agent }"))
        #expect(third.status == 7)
        #expect(place.status("b.sock") == nil)
        let answer = try await home.curl("--unix-socket", place.path("agent.sock"), "http://localhost/v1/whoami")
        #expect(answer.status == 200)
        #expect(await first.end().status == 0)
    }

    @Test(arguments: ["symlink", "dangling", "file", "directory"])
    func `CP-03 a path that is a link, a file or a directory is refused and left as it is`(_ kind: String) async throws
    {
        let place = try SharedPlace()
        let home = try Home()
        let path = place.path("agent.sock")
        let target = place.path("target")
        let files = FileManager.default
        switch kind {
        case "symlink":
            _ = files.createFile(atPath: target, contents: Data("precious".utf8))
            try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        case "dangling": try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        case "file": _ = files.createFile(atPath: path, contents: Data("precious".utf8))
        default: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        func attributes() throws -> [String] {
            let found = try files.attributesOfItem(atPath: path)
            return ["\(found[.type] ?? "")", "\(found[.systemFileNumber] ?? "")", "\(found[.posixPermissions] ?? "")"]
        }
        let before = try attributes()
        let file = try home.configure(listen: "  - { unix: \(path), caller: agent }")
        let refused = try await home.countersign("serve", "--config", file)
        #expect(refused.status == 7)
        #expect(refused.errors.contains("hint: something that is no socket is there"), "\(refused.errors)")
        #expect(try attributes() == before)
        if kind == "symlink" { #expect(try home.text(target) == "precious") }
        if kind == "dangling" { #expect(!files.fileExists(atPath: target)) }
    }

    @Test func `a directory in which others could replace the socket is refused with the command`() async throws {
        let place = try SharedPlace()
        let home = try Home()
        let directory = place.path("d")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory)
        let file = try home.configure(listen: "  - { unix: \(directory)/agent.sock, caller: agent }")
        let refused = try await home.countersign("serve", "--config", file)
        #expect(refused.status == 7)
        #expect(refused.errors.contains("hint: run `chmod go-w \(directory)`"))
    }

    @Test func `BR-21 curl's Host, an empty one and an underscore are right on a socket, and no other`() async throws {
        let place = try SharedPlace()
        let home = try Home()
        let file = try home.configure(listen: "  - { unix: \(place.path("agent.sock")), caller: agent }")
        let gateway = try home.start("serve", "--config", file)
        try await gateway.says("listening on \(place.path("agent.sock"))")
        for socket in [place.path("agent.sock"), home.directory + "/run/admin.sock"] {
            func status(_ host: String...) async throws -> Int {
                let fields = host.flatMap { ["-H", $0] }
                let answer = try await Running(
                    "curl",
                    ["-sS", "-i", "-w", "\n%{http_code}", "--unix-socket", socket] + fields + [
                        "http://localhost/readyz"
                    ], in: home
                ).finished()
                return CurlAnswer(answer).status
            }
            // 503: it is through the door, and there is no grant.
            #expect(try await status() == 503)
            for host in ["Host: localhost", "Host: LOCALHOST", "Host;", "Host: _"] {
                #expect(try await status(host) == 503, "\(host)")
            }
            for host in [
                "Host: localhost:80", "Host: 127.0.0.1", "Host: evil.test", "Host: localhost.", "Host: __",
                "Host: [::1]", "Host: agent.sock",
            ] {
                #expect(try await status(host) == 403, "\(host)")
            }
            // No Host at all is no HTTP/1.1.
            #expect(try await status("Host:") == 400)
        }
        #expect(await gateway.end().status == 0)
    }

    @Test func `check and serve warn of a caller that may be the operator`() async throws {
        let place = try SharedPlace()
        let home = try Home()
        let file = try home.configure(listen: "  - { unix: \(place.path("agent.sock")), caller: agent }")
        let check = try await home.countersign("check", "--config", file)
        #expect(check.status == 0)
        #expect(check.errors.contains("warning: The caller `agent`"))
        #expect(check.errors.contains("(caller_is_operator)"))
        let gateway = try home.start("serve", "--config", file)
        try await gateway.says("listening on \(place.path("agent.sock"))")
        #expect(await gateway.end().errors.contains("\"code\":\"caller_is_operator\""))
        let other = try home.configure(
            listen: "  - { unix: \(place.path("agent.sock")), caller: agent, allow_uids: [\(OtherUser.third)] }")
        #expect(try await !home.countersign("check", "--config", other).errors.contains("warning"))
    }
}
