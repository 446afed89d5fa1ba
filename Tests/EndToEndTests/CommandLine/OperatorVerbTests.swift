import Core
import Foundation
import TestSupport
import Testing

/// What the operator does about asks and keys.
@Suite(.timeLimit(.minutes(5))) struct OperatorVerbTests {
    @Test func `a refusal is remembered until it is forgiven`() async throws {
        let stage = try await Stage(person: "after=0s")
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
            "requests", "--gateway", "http://127.0.0.1:\(port)", "--token-file", token)
        #expect(listed.status == 1 && listed.errors.contains("is of another version"), "\(listed.errors)")
        await older.end()
    }
}
