import Core
import Foundation
import TestSupport
import Testing

/// What the operator does about asks and keys.
@Suite(.timeLimit(.minutes(5))) struct OperatorVerbTests {
    @Test func `a refusal is remembered until it is forgiven`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.control("person", #"{"script":"deny"}"#)
        let pick = try ["pick", "--url", "https://bank.example.com", "--token-file", stage.tokenFile()]
        let denied = try await stage.run(pick)
        #expect(denied.status == 3, "\(denied.errors)")
        let id = String(try #require(denied.errors.firstMatch(of: /ask_[A-Za-z0-9_-]{22}/)).output)
        try await stage.control("person", #"{"script":"after=0s"}"#)
        let again = try await stage.run(pick)
        #expect(again.status == 3 && again.errors.contains(id), "the same ask: \(again.errors)")
        let forgiven = try await stage.home.countersign("forgive", id)
        #expect(forgiven.status == 0 && forgiven.errors.contains("agent may ask"), "\(forgiven.errors)")
        #expect(try await stage.run(pick).status == 0)
        let unknown = try await stage.home.countersign("forgive", "ask_1b2c3d4e5f6g7h8i9j0kLM")
        #expect(unknown.status == 1 && unknown.errors.contains("(not_found)"), "\(unknown.errors)")
        await stage.end()
    }

    @Test func `watch shows each ask as link and code, as it comes and ends, and Ctrl-C ends it`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.nobodyTaps()
        let token = try stage.tokenFile()
        let before = try await stage.run([
            "pick", "--wait", "0", "--url", "https://bank.example.com", "--token-file", token,
        ])
        #expect(before.status == 9)
        let watching = try TerminalSession(["watch"], in: stage.home)
        let lines = try stage.home.start("watch", "--json")
        try await watching.running.prints("  agent  pick_item  pending")
        try await watching.running.prints("  mimikey://request?")
        try await lines.prints(#""state":"pending""#)
        let second = try stage.home.start("pick", "--url", "https://shop.example.com", "--token-file", token)
        try await second.says("mimikey://request?")
        let id = try #require(second.errorsSoFar.firstMatch(of: /request_id=([A-Za-z0-9_-]+)/)).1
        try await watching.running.prints("request_id=\(id)")
        second.signal(SIGINT)
        #expect(await second.finished().status == 130)
        try await watching.running.prints("  agent  pick_item  cancelled")
        try await lines.prints(#""state":"cancelled""#)
        try watching.type("\u{3}")
        let watched = await watching.finished()
        #expect(watched.status == 0)
        #expect(Picture(in: watched.errors)?.hasFinders == true)
        lines.signal(SIGINT)
        let printed = await lines.finished()
        #expect(printed.status == 0 && !printed.errors.contains("█"))
        for line in printed.output.split(separator: "\n") {
            #expect(try JSONDocument(Array(line.utf8)).root["caller"]?.string == "agent")
        }
        await stage.end()
    }

    @Test func `watch finds a gateway again that was killed before it had said anything`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.nobodyTaps()
        let watching = try stage.home.start("watch")
        try await watching.says("watching")
        stage.gateway.signal(SIGKILL)
        _ = await stage.gateway.finished()
        let again = try await stage.serveAgain()
        #expect(try await stage.ask(wait: 0).status == 202)
        try await watching.prints("  agent  pick_item  pending")
        watching.signal(SIGINT)
        #expect(await watching.finished().status == 0)
        again.signal(SIGTERM)
        _ = await again.finished()
        await stage.end()
    }

    @Test func `watch ends when nobody reads it any more`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.nobodyTaps()
        let pick = try ["pick", "--wait", "0", "--token-file", stage.tokenFile(), "--url"]
        _ = try await stage.run(pick + ["https://bank.example.com"])
        let read = try Running("sh", ["-c", "countersign watch --json | head -n 1"], in: stage.home)
        try await read.prints(#""state":"pending""#)
        _ = try await stage.run(pick + ["https://shop.example.com"])
        #expect(await read.finished().status == 0)
        await stage.end()
    }

    @Test func `status shows another account key, and trust-key accepts it by its fingerprint`() async throws {
        let home = try Home()
        let socket = home.directory + "/admin.sock"
        let file = try home.configure(listen: "  - { unix: \(home.directory)/a.sock, caller: agent }", admin: socket)
        let (old, new) = (String(repeating: "0a", count: 32), String(repeating: "1b", count: 32))
        // Plays a gateway to which MimiKey has shown another key.
        let script = """
            import http.server, json, socketserver
            keys = ["\(old)", "\(new)"]
            def grant():
                return {"authorized": True, "state": "active", "grant_id": "g", "vaults": [],
                        "identity_key_fingerprint": keys[0], "offered_identity_key_fingerprint": keys[1]}
            class Operator(http.server.BaseHTTPRequestHandler):
                def address_string(self): return "unix"
                def do_GET(self):
                    self.answer(grant() if self.path == "/admin/grant" else {"ready": True})
                def do_POST(self):
                    body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                    assert self.path == "/admin/grant/identity-key" and body == {"accept": keys[1]}
                    keys[:] = [keys[1], None]
                    self.answer(grant())
                def answer(self, value):
                    text = json.dumps(value).encode()
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
            server = socketserver.UnixStreamServer("\(socket)", Operator)
            print("ready", flush=True)
            server.serve_forever()
            """
        let gateway = try Running("python3", ["-c", script], in: home)
        try await gateway.prints("ready")
        let before = try await home.countersign("status", "--config", file)
        #expect(before.output.contains("account key: \(old)\naccount key that MimiKey shows now: \(new)\n"))
        #expect(before.errors.contains("hint: if the person sees the other key"), "\(before.errors)")
        #expect(try await home.countersign("trust-key", "--config", file, "ab").status == 2)
        let trusted = try await home.countersign("trust-key", "--config", file, new.uppercased())
        #expect(trusted.status == 0 && trusted.errors.contains(new), "\(trusted.errors)")
        let after = try await home.countersign("status", "--config", file)
        #expect(after.output.contains("account key: \(new)\n") && !after.output.contains("shows now"))
        await gateway.end()
    }

    @Test func `UI-06 a gateway of another version is said so`() async throws {
        let home = try Home()
        let port = try Ports.free()
        // Answers every path as a Countersign that does not have it.
        let script = """
            import http.server
            class Older(http.server.BaseHTTPRequestHandler):
                def answer(self):
                    body = b'{"error":"not_found","detail":"There is no such path here."}'
                    self.send_response(404)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                do_GET = do_POST = answer
            server = http.server.HTTPServer(("127.0.0.1", \(port)), Older)
            print("ready", flush=True)
            server.serve_forever()
            """
        let older = try Running("python3", ["-c", script], in: home)
        try await older.prints("ready")
        let token = try home.write("cs_" + String(repeating: "a", count: 43), to: "token")
        let listed = try await home.countersign(
            "vaults", "--gateway", "http://127.0.0.1:\(port)", "--token-file", token)
        #expect(listed.status == 1 && listed.errors.contains("is of another version"), "\(listed.errors)")
        await older.end()
    }
}
