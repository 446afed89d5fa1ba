import Core
import Foundation
import TestSupport
import Testing

/// A page in a real browser, at another origin and by a name that was bound anew, against a gateway with an open ask and an
/// authorization under way.
@Suite(.timeLimit(.minutes(10))) struct BrowserTests {
    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What the page has to say of one server.
    private struct Report {
        let attempts: Int
        /// Kind, path, what was seen.
        let read: [(kind: String, path: String, seen: String)]

        init(_ name: String, in errors: String) throws {
            let line = try #require(errors.split(separator: "\n").last { $0.hasPrefix("{\"name\":\"\(name)\"") })
            let root = try JSONDocument(Array(line.utf8)).root
            attempts = Int(try #require(root["attempts"]?.integer))
            read = (root["read"]?.elements ?? []).map { entry in
                let parts = entry.elements.compactMap(\.string)
                return (parts[0], parts[1], parts[2])
            }
        }
    }

    /// A server as the page calls it, and what to try there.
    private struct Try {
        let name: String
        let base: String
        let paths: [String]

        var json: JSON { [.string(name), .string(base), .array(paths.map(JSON.string))] }
    }

    /// Lets the page at `page` try the servers, and gives its reports.
    private static func visit(
        _ page: String, _ tries: [Try], _ servers: Running, _ stage: Stage, reportTo port: UInt16
    ) async throws -> [Report] {
        var components = try #require(URLComponents(string: page))
        components.queryItems = [
            "tries": String(decoding: JSON.array(tries.map(\.json)).encoded(), as: UTF8.self), "token": stage.token,
            "report": "http://127.0.0.1:\(port)/report",
        ].map { URLQueryItem(name: $0.key, value: $0.value) }
        // It is in no hurry, and the tests beside it have time limits.
        let chromium = try Running(
            "nice",
            [
                "-n", "10", try #require(browser),
                // No sandbox of its own: it may be root who runs the tests, and the page is ours. Rules of the browser that
                // would keep a request from us are off, because the refusals that count here are ours.
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                "--disable-popup-blocking", "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows", "--user-data-dir=\(stage.home.directory)/chromium",
                "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,Translate",
                "--host-resolver-rules=MAP evil.test 127.0.0.1,MAP rebound.test 127.0.0.2",
                try #require(components.string),
            ], in: stage.home)
        for `try` in tries { try await servers.says("reported \(`try`.name)\n") }
        await chromium.end()
        return try tries.map { try Report($0.name, in: servers.errorsSoFar) }
    }

    @Test(.enabled(if: browser != nil, "there is no browser: apt-get install chromium"))
    func `BR-03 BR-06 a page in a browser reads nothing, changes nothing, and is refused by us`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        let (pagePort, naivePort) = (try Ports.free(), try Ports.free())
        let folder = try #require(Bundle.module.url(forResource: "Browser", withExtension: nil))
        let servers = try Running(
            "python3", [folder.appending(path: "servers.py").path, "\(pagePort)", "\(naivePort)", "\(stage.port)"],
            in: stage.home)
        try await servers.says("ready")
        let ask = try #require(try await stage.ask(wait: 0).json?["id"]?.string)
        let admin = stage.home.state + "/run/admin.sock"
        let begun = try await stage.operate("POST", "/admin/authorize", socket: admin)
        let authorization = try #require(begun.json?["id"]?.string)
        let grant = try await stage.operate("GET", "/admin/grant", socket: admin).body
        let contract = try await stage.home.curl(stage.url("/openapi.yaml")).body
        let paths = contract.split(separator: "\n").filter { $0.hasPrefix("  /") && $0.hasSuffix(":") }.map {
            String($0.dropFirst(2).dropLast()).replacing(
                "/admin/authorize/{id}", with: "/admin/authorize/\(authorization)"
            )
            .replacing("{id}", with: ask)
        }
        #expect(paths.count >= 9)
        func visit(_ page: String, _ tries: (name: String, base: String)...) async throws -> [Report] {
            let tries = tries.map { Try(name: $0.name, base: $0.base, paths: $0.name == "naive" ? ["/x"] : paths) }
            return try await Self.visit(page, tries, servers, stage, reportTo: pagePort)
        }

        // A server as it should not be, so that we know that the page sees what there is to see. Then ours, by its port and
        // by other names of this machine.
        let near = try await visit(
            "http://127.0.0.1:\(pagePort)/", ("naive", "http://127.0.0.1:\(naivePort)"),
            ("port", "http://127.0.0.1:\(stage.port)"), ("localhost", "http://localhost:\(stage.port)"),
            ("anywhere", "http://0.0.0.0:\(stage.port)"), ("name", "http://evil.test:\(stage.port)"))
        let kinds = Set(near[0].read.map(\.kind))
        #expect(kinds.isSuperset(of: ["get", "getWithToken", "postJSON", "delete", "events", "script"]), "\(kinds)")
        let understood = try await stage.home.curl("http://127.0.0.1:\(naivePort)/asks").body
        #expect(Int(understood) == 4, "a text, a beacon, a form and JSON are asks to who does not look at their type")
        let far = try await visit(
            "http://evil.test:\(pagePort)/", ("site", "http://127.0.0.1:\(stage.port)"),
            ("otherName", "http://evil.test:\(stage.port)"))
        for report in near.dropFirst() + far { #expect(report.read.isEmpty, "\(report)") }
        // A name that was bound anew is one origin with its page: it can read the refusals, and there is nothing in them.
        let rebound = try await visit(
            "http://rebound.test:\(stage.port)/page", ("rebound", "http://rebound.test:\(stage.port)"))[0]
        #expect(rebound.read.count { $0.kind == "getWithToken" } == paths.count)
        for (kind, path, seen) in rebound.read where kind != "head" {
            #expect(seen.contains(#""error":"host_not_allowed""#), "\(kind) \(path): \(seen)")
            #expect(!seen.lowercased().contains("countersign") && !seen.contains("0.1"), "\(seen)")
        }

        // Nothing has changed.
        let look = try await stage.look("/v1/requests/\(ask)", wait: 0)
        #expect(look.state == "pending")
        #expect(try await stage.look("/v1/whoami", wait: 0).json?["limits"]?["open_now"]?.integer == 1)
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        let status = try await stage.operate("GET", "/admin/authorize/\(authorization)", socket: admin)
        #expect(status.json?["status"]?.string == "waiting")
        #expect(try await stage.operate("GET", "/admin/grant", socket: admin).body == grant)
        let asked = try await stage.home.curl("http://127.0.0.1:\(stage.sandboxPort)/_sandbox/requests")
        #expect(!asked.body.contains("from a page"))

        // And it was us who refused: each attempt has arrived.
        let log = await stage.gateway.end().errors.split(separator: "\n").compactMap { line in
            try? JSONDocument(Array(line.utf8)).root
        }
        let lines = log.filter { $0["message"]?.string == "request" && $0["door"]?.string != "unix" }
        func count(_ error: String) -> Int {
            lines.count { $0["status"]?.integer == 403 && $0["error"]?.string == error }
                + log.reduce(0) {
                    $0 + Int($1["message"]?.string == "log lines dropped" ? $1["count"]?.integer ?? 0 : 0)
                }
        }
        let byOrigin = [near[1], near[2], far[0]].map(\.attempts).reduce(0, +)
        let byHost = [near[3], near[4], far[1], rebound].map(\.attempts).reduce(0, +)
        // Going to the callback is the one thing that a page may do, three times here; nothing waits for what it brings.
        // What it then sees is a page of ours, for which the browser asks a picture, without a token.
        #expect(count("origin_not_allowed") >= byOrigin - 3)
        #expect(count("host_not_allowed") >= byHost)
        let letIn = lines.filter { line in
            line["status"]?.integer != 403
                && !["/v1/requests", "/v1/requests/{id}", "/v1/whoami", "/openapi.yaml"]
                    .contains(line["route"]?.string)
        }
        for line in letIn {
            let isCallback = line["route"]?.string == "/callback" && [200, 400].contains(line["status"]?.integer)
            let isStranger = line["route"] == nil && line["status"]?.integer == 401
            #expect(isCallback || isStranger, "\(String(decoding: line.raw, as: UTF8.self))")
        }
        await servers.end()
        await stage.end()
    }
}

extension Stage {
    fileprivate func operate(_ method: String, _ path: String, socket: String) async throws -> CurlAnswer {
        try await home.curl("-X", method, "--unix-socket", socket, "http://localhost\(path)")
    }
}
