import Core
import Foundation
import Strongbox
import TestSupport
import Testing

@testable import Sandbox

/// The same sandbox behind a real socket, spoken to by curl.
struct SandboxServiceTests {
    private static let loopback = TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0)

    private func withSandbox(
        _ person: PersonScript = .manual, _ body: (_ origin: String, _ scene: Scene) async throws -> Void
    ) async throws {
        let scene = Scene()
        let service = try SandboxService(
            SandboxOptions(listen: Self.loopback, person: person), time: scene.clock.source)
        let origin = try await service.start().description
        do { try await body(origin, scene) } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    /// Makes the call that a scene has signed.
    private func send(_ call: APICall, to origin: String) async throws -> Curl.Answer {
        let fields = call.fields.lines.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))" }
        return try await Curl.run(
            ["-X", call.method.name] + fields.flatMap { ["-H", $0] }
                + (call.body.isEmpty ? [] : ["--data-binary", String(decoding: call.body, as: UTF8.self)])
                + [origin + call.path])
    }

    private func authorize(_ scene: Scene, at origin: String) async throws {
        let opened = try await Curl.run(["--json", #"{"url":"\#(scene.link())"}"#, origin + "/_sandbox/open"])
        let callback = try #require(opened.json?["callback"]?.string)
        let query = try #require(QueryString(parsing: String(callback.split(separator: "?")[1])))
        let body: JSON = [
            "grant_type": "authorization_code", "client_id": "pmc_sandbox", "code": .text(query.value("code")),
            "redirect_uri": .string(scene.redirectURI), "code_verifier": .string(scene.verifier),
        ]
        let tokens = try await Curl.run([
            "--json", String(decoding: body.encoded(), as: UTF8.self), origin + "/api/oauth/token",
        ])
        #expect(tokens.status == 200)
        scene.access = try #require(tokens.json?["access_token"]?.string)
        scene.grantID = try #require(tokens.json?["grant_id"]?.string)
    }

    @Test func `the whole way: link, code, tokens, pick, tap, box`() async throws {
        try await withSandbox(.approve(after: .seconds(2))) { origin, scene in
            try await authorize(scene, at: origin)
            let ask = Array(#"{"op":"pick_item","hint":{"url":"https://bank.example.com"},"reason":"reconcile"}"#.utf8)
            let created = try await send(scene.signed(.post, "/api/oauth/requests", ask), to: origin)
            #expect(created.status == 200)
            #expect(created.json?["status"]?.string == "pending")
            let id = try #require(created.json?["id"]?.string)
            scene.pass(.seconds(2))
            let done = try await send(scene.signed(.get, "/api/oauth/requests/\(id)"), to: origin)
            #expect(done.json?["status"]?.string == "completed")
            let box = try #require(done.json?["result_enc"]?.string)
            let reply = Reply(["id": .string(id), "result_enc": .string(box)])
            #expect(try scene.opened(reply)["item"]?["id"]?.string == "it_bank")
        }
    }

    @Test func `a query is no part of what is signed`() async throws {
        try await withSandbox { origin, scene in
            try await authorize(scene, at: origin)
            let call = scene.signed(.get, "/api/oauth/vaults")
            let asked = APICall(method: .get, path: "/api/oauth/vaults?x=1", fields: call.fields)
            #expect(try await send(asked, to: origin).status == 200)
        }
    }

    @Test func `every answer says that it is a sandbox`() async throws {
        try await withSandbox { origin, _ in
            for path in ["/", "/api/oauth/vaults", "/_sandbox/stats", "/nowhere"] {
                let answer = try await Curl.run([origin + path])
                #expect(answer.head.lowercased().contains("\r\nx-sandbox: true\r\n"))
            }
            let broken = try await Curl.run(["--request-target", "/a b", origin])
            #expect(broken.status == 400)
            #expect(broken.head.lowercased().contains("\r\nx-sandbox: true\r\n"))
            let greeting = try await Curl.run([origin + "/"])
            #expect(greeting.status == 200)
            #expect(greeting.body.contains("sandbox"))
        }
    }

    @Test func `a page of a browser and a foreign name are turned away`() async throws {
        try await withSandbox { origin, _ in
            let stats = origin + "/_sandbox/stats"
            let page = try await Curl.run(["-H", "Origin: https://elsewhere.example", stats])
            #expect(page.status == 403)
            let foreign = try await Curl.run(["-H", "Host: elsewhere.example", stats])
            #expect(foreign.status == 403)
            let own = try await Curl.run(["-H", "Host: localhost:1", stats])
            #expect(own.status == 200)
        }
    }

    @Test func `400,001 bytes are too large, in plain text, whatever the path`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sandbox-\(UUID().uuidString)")
        try Data(repeating: 0x20, count: 400_001).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withSandbox { origin, _ in
            for path in ["/api/oauth/token", "/api/oauth/requests", "/nowhere"] {
                let answer = try await Curl.run(["--data-binary", "@\(file.path)", origin + path])
                #expect(answer.status == 413)
                #expect(answer.head.lowercased().contains("content-type: text/plain"))
            }
        }
    }

    @Test func `a swallowed answer leaves the deed done`() async throws {
        try await withSandbox { origin, scene in
            try await authorize(scene, at: origin)
            let fault = try await Curl.run([
                "--json", #"{"name":"close_before_answer_next","path":"/api/oauth/requests"}"#,
                origin + "/_sandbox/faults",
            ])
            #expect(fault.status == 200)
            let call = scene.signed(.post, "/api/oauth/requests", Array(#"{"op":"pick_item"}"#.utf8))
            let lost = try await send(call, to: origin)
            // curl: the server returned nothing.
            #expect(lost.exit == 52)
            #expect(lost.head.isEmpty)
            let stats = try await Curl.run([origin + "/_sandbox/stats"])
            #expect(stats.json?["requests_created"]?.integer == 1)
        }
    }

    private func be(_ manner: String, at origin: String) async throws {
        let body = #"{"name":"\#(manner)","percent":100}"#
        #expect(try await Curl.run(["--json", body, origin + "/_sandbox/manners"]).status == 200)
    }

    @Test func `half of an answer is a whole message with broken JSON`() async throws {
        try await withSandbox { origin, scene in
            try await authorize(scene, at: origin)
            try await be("truncated", at: origin)
            let half = try await send(scene.signed(.get, "/api/oauth/vaults"), to: origin)
            #expect(half.exit == 0)
            #expect(half.status == 200)
            #expect(half.body.hasPrefix("{"))
            #expect(half.json == nil)
        }
    }

    @Test func `an error page is HTML`() async throws {
        try await withSandbox { origin, _ in
            try await be("html_error", at: origin)
            let page = try await Curl.run([origin + "/api/oauth/vaults"])
            #expect(page.status == 502)
            #expect(page.head.lowercased().contains("content-type: text/html"))
        }
    }

    @Test func `Date is off by the same on every answer of the API`() async throws {
        try await withSandbox { origin, scene in
            let seeded = try await Curl.run(["--json", #"{"seed":7}"#, origin + "/_sandbox/manners"])
            #expect(seeded.status == 200)
            try await be("date_off", at: origin)
            let manners = try await Curl.run([origin + "/_sandbox/manners"])
            let offset = try #require(manners.json?["date_offset_seconds"]?.integer)
            #expect(offset != 0)
            for _ in 0..<2 {
                let answer = try await Curl.run([origin + "/api/oauth/vaults"])
                let line = answer.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("date: ") }
                let date = try #require(line.flatMap { HTTPDate.parse(String($0.dropFirst(6))) })
                let real = Int64(Date().timeIntervalSince1970)
                #expect(abs(date.seconds - real - offset) <= 5)
            }
        }
    }

    @Test func `an idle connection is closed early`() async throws {
        try await withSandbox { origin, _ in
            try await be("idle_close", at: origin)
            let port = try #require(UInt16(origin.split(separator: ":").last ?? ""))
            let socket = try await RawSocket.connect(port: port)
            try await socket.send("GET /api/oauth/vaults HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            // The server's own limit is 75 seconds, the socket's patience 60.
            let answer = try await socket.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test func `the phone's page is for its own forms only`() async throws {
        try await withSandbox { origin, _ in
            let page = try await Curl.run([origin + "/_sandbox/phone"])
            #expect(page.status == 200)
            #expect(page.head.lowercased().contains("content-security-policy: default-src 'none'"))
            let path = origin + "/_sandbox/phone/rq_no/approve"
            for fields in [
                ["-H", "Origin: https://elsewhere.example"], ["-H", "Origin: null"],
                ["-H", "Sec-Fetch-Site: cross-site"], ["-H", "Sec-Fetch-Site: same-site"],
            ] {
                #expect(try await Curl.run(["-d", ""] + fields + [path]).status == 403)
            }
            let own = try await Curl.run(
                ["-d", "", "-H", "Origin: \(origin)", "-H", "Sec-Fetch-Site: same-origin", path])
            #expect(own.status == 404)
        }
    }

    @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "[2001:db8::1]:0"])
    func `it listens on loopback only`(address: String) throws {
        let options = SandboxOptions(listen: try #require(TCPAddress(address)), person: .manual)
        #expect(throws: Problem.self) { try SandboxService(options, time: ManualClock().source) }
    }
}
