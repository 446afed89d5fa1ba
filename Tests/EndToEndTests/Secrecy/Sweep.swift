import Core
import Foundation
import Testing

/// Drives a gateway through everything that it does and everything that it refuses, and keeps what it said to others
/// than the one who was to have the result.
final class Sweep {
    let stage: Stage
    let level: String
    /// Step by step, what was answered or printed; results are left out.
    private(set) var said: [(place: String, text: String)] = []
    private(set) var steps = 0
    /// Passwords and one-time codes.
    private(set) var values: [Canary] = []
    /// Grants come and go: what each held.
    private(set) var seen: [StageSecrets] = []
    /// What was written into queries, fields, paths and bodies where it does not belong, and what MimiKey said in the
    /// texts of its errors. It is no secret, and yet nothing for a log.
    let stray = "stray" + UUID().uuidString.lowercased().filter { $0 != "-" }
    private let site = "https://canary.example.com"

    init(level: String) async throws {
        self.level = level
        stage = try await Stage(
            person: "after=0s", hosts: ["canary.example.com"], open: 60, fields: "all", log: level, manners: .polite)
        values = try await stage.addItem(url: site)
        seen.append(try await stage.secrets())
    }

    var secrets: [Canary] { values + seen.flatMap(\.all) }

    // MARK: What every step uses

    /// The next card is another one than those before it.
    private func body(_ more: String = "") -> String {
        steps += 1
        return #"{"op":"pick_item","hint":{"url":"\#(site)/\#(steps)"}\#(more)}"#
    }

    private func note(_ name: String, _ answer: CurlAnswer) {
        steps += 1
        said.append(("the head of \(name)", answer.head))
        said.append(("what curl said of \(name)", answer.finished.errors))
        // The one body that is to have it.
        if answer.record == nil { said.append(("the body of \(name)", answer.body)) }
    }

    private func note(_ name: String, _ finished: Finished, hasResult: Bool = false) {
        steps += 1
        said.append(("the standard error of \(name)", finished.errors))
        if !hasResult { said.append(("the standard output of \(name)", finished.output)) }
    }

    @discardableResult
    private func ask(_ name: String, wait: Int = 20, _ body: String? = nil) async throws -> CurlAnswer {
        let answer = try await stage.ask(wait: wait, body: body ?? self.body())
        note(name, answer)
        return answer
    }

    private func curl(_ name: String, _ path: String, _ arguments: String...) async throws {
        let all = ["-sS", "-i", "-w", "\n%{http_code}"] + arguments + [stage.url(path)]
        note(name, CurlAnswer(try await Running("curl", all, in: stage.home).finished()))
    }

    private func person(_ script: String) async throws {
        try await stage.control("person", #"{"script":"\#(script)"}"#)
    }

    private func fault(_ path: String, status: Int, error: String? = nil, text: String? = nil) async throws {
        var members: [JSON.Member] = [
            .init("name", "status_next"), .init("path", .string(path)), .init("status", .integer(Int64(status))),
        ]
        if let error { members.append(.init("error", .string(error))) }
        if let text { members.append(.init("text", .string(text))) }
        try await stage.control("faults", String(decoding: JSON.object(members).encoded(), as: UTF8.self))
    }

    /// A new grant: tokens, keys, a code and a verifier of its own.
    private func authorize(_ name: String) async throws {
        note(name, try await stage.authorize())
        seen.append(try await stage.secrets())
    }

    // MARK: The ways

    /// What goes well, and what callers and the operator may look at.
    func goWell() async throws {
        #expect(try await ask("a pick").record?["one_time_code"]?.string != nil)
        try await person("none")
        let pending = try await ask("a pick that waits", wait: 0)
        let id = try #require(pending.json?["id"]?.string)
        for path in ["/v1/requests/\(id)", "/v1/requests", "/v1/whoami", "/readyz", "/healthz", "/openapi.yaml"] {
            note(path, try await stage.look(path, wait: 0))
        }
        try await curl("HEAD", "/v1/requests/\(id)", "-I", "-H", "Authorization: Bearer \(stage.token)")
        try await curl("a cancel", "/v1/requests/\(id)", "-X", "DELETE", "-H", "Authorization: Bearer \(stage.token)")
        try await person("after=0s")
        let file = try stage.tokenFile()
        let gateway = "http://127.0.0.1:\(stage.port)"
        for more in [[], ["--json"], ["--field", "password"]] {
            let arguments = ["pick", "--gateway", gateway, "--token-file", file, "--url", "\(site)/\(steps)"] + more
            note("pick", try await Running("countersign", arguments, in: stage.home).finished(), hasResult: true)
        }
        for verb in ["status", "check", "version", "help"] { note(verb, try await stage.home.countersign(verb)) }
        try await stage.control("access-tokens/expire")
        #expect(try await ask("a pick after a refresh").state == "completed")
        seen.append(try await stage.secrets())
    }

    /// What a caller does wrong, with the token and other things in wrong places.
    func misuse() async throws {
        let token = stage.token
        let bearer = "Authorization: Bearer \(token)"
        for input in BadInput.all("ask", "json") {
            let text = String(input.payload).replacing("{{token}}", with: token)
            try await ask(input.name, wait: 0, text)
        }
        for (name, fields) in [
            ("a wrong token", ["Authorization: Bearer \(token)x"]), ("Basic", ["Authorization: Basic \(token)"]),
            ("no scheme", ["Authorization: \(token)"]), ("two tokens", [bearer, bearer]),
            ("a cookie", ["Cookie: token=\(token); other=\(stray)"]), ("another field", ["X-Api-Key: \(token)"]),
            ("a field's name", [bearer, "X-\(stray): \(token)"]), ("a proxy", [bearer, "X-Forwarded-For: \(token)"]),
            ("another host", [bearer, "Host: \(stray).example"]),
            ("a page", [bearer, "Origin: http://\(stray).example"]),
            ("a long field", [bearer, "X-Long: " + String(repeating: token, count: 400)]),
            ("a preference", [bearer, "Prefer: wait=\(stray)"]),
            ("an encoding", [bearer, "Content-Encoding: \(stray)"]),
        ] {
            for path in ["/v1/whoami", "/v1/requests"] {
                let arguments = fields.flatMap { ["-H", $0] } + (path == "/v1/requests" ? ["--json", body()] : [])
                let all = ["-sS", "-i", "-w", "\n%{http_code}"] + arguments + [stage.url(path)]
                note(name, CurlAnswer(try await Running("curl", all, in: stage.home).finished()))
            }
        }
        for path in [
            "/v1/requests?access_token=\(token)&q=\(stray)", "/\(token)/\(stray)", "/v1/requests/\(token)",
            "/v1/whoami?\(stray)=\(token)", "/admin/grant?token=\(token)", "/v1/requests/ask_\(stray)/\(token)",
            "/%63%73\(token)",
        ] {
            for method in ["GET", "POST", "DELETE", "PUT", "STRAY"] {
                try await curl(
                    "\(method) of an odd path", path, "-X", method, "-H", bearer, "-d", #"{"token":"\#(token)"}"#, "-H",
                    "Content-Type: application/json")
            }
        }
        let big = try stage.home.write(
            #"{"op":"\#(stray)","token":"\#(token)","x":""# + String(repeating: token, count: 10_000), to: "big")
        defer { try? FileManager.default.removeItem(atPath: big) }
        try await curl("a body that is too large", "/v1/requests", "-H", bearer, "--json", "@\(big)")
        try await curl(
            "a cut body", "/v1/requests", "-H", bearer, "--json", #"{"op":"pick_item","\#(stray)":"\#(token)"#)
        try await ask("another site", wait: 0, #"{"op":"pick_item","hint":{"url":"https://other.example/\#(token)"}}"#)
        let file = try stage.home.write(stray + "\n", to: "token-of-nobody")
        let gateway = "http://127.0.0.1:\(stage.port)"
        note(
            "pick without a token", try await stage.home.countersign("pick", "--gateway", gateway, "--token-file", file)
        )
        note("pick with the token as a word", try await stage.home.countersign("pick", "--gateway", gateway, token))
        note(
            "pick with the token as a file's name",
            try await stage.home.countersign("pick", "--gateway", gateway, "--token-file", token))
        note("an option that there is not", try await stage.home.countersign("pick", "--token=\(token)"))
        note("a verb that there is not", try await stage.home.countersign(token))
    }

    /// What the person refuses or lets pass, and what the rules keep back.
    func beRefused() async throws {
        try await person("deny")
        #expect(try await ask("a denied pick").state == "denied")
        try await person("none")
        let expiring = try await ask("a pick that expires", wait: 0)
        try await stage.control("requests/\(try await upstreamID(of: expiring))/expire")
        note("an expired pick", try await stage.look("/v1/requests/\(expiring.json?["id"]?.string ?? "")", wait: 5))
        let other = try await ask("a pick of another site's item", wait: 0)
        try await stage.control("requests/\(try await upstreamID(of: other))/approve", #"{"item_id":"it_bank"}"#)
        let kept = try await stage.look("/v1/requests/\(other.json?["id"]?.string ?? "")", wait: 5)
        #expect(kept.json?["error"]?.string == "policy_denied_on_item")
        note("a result that the rule keeps", kept)
        try await person("after=0s")
    }

    private func upstreamID(of answer: CurlAnswer) async throws -> String {
        let id = try #require(answer.json?["id"]?.string)
        while true {
            let json = try await stage.look("/v1/requests/\(id)", wait: 0).json
            if let upstreamID = json?["upstream_id"]?.string { return upstreamID }
            try Task.checkCancellation()
        }
    }

    /// Callbacks that are none, or that bring an error.
    func comeBack() async throws {
        for input in BadInput.all("callback") {
            try await curl(input.name, "/callback?" + input.payload.filter { $0 > " " && $0 <= "~" && $0 != "#" })
        }
        for query in ["code=\(stray)&state=\(stray)", "state=\(stray)&error=\(stray)", "code=\(stray)", stray] {
            try await curl("a callback of nobody", "/callback?\(query)")
        }
        for error in ["access_denied", "not_signed_in", stray] {
            let state = try await beginAuthorization()
            try await curl("a callback with \(error)", "/callback?state=\(state)&error=\(error)")
        }
        let state = try await beginAuthorization()
        try await curl("a code that is none", "/callback?state=\(state)&code=pmk_sandbox_\(stray)")
        try await curl("the same once more", "/callback?state=\(state)&code=pmk_sandbox_\(stray)")
    }

    /// The `state` of a new one.
    private func beginAuthorization() async throws -> String {
        let socket = stage.home.state + "/run/admin.sock"
        let answer = try await stage.home.curl(
            "--unix-socket", socket, "--json", "{}", "http://localhost/admin/authorize")
        let url = try #require(answer.json?["url"]?.string)
        let query = try #require(QueryString(parsing: String(url.drop { $0 != "?" }.dropFirst())))
        return try #require(query.value("state"))
    }

    /// What MimiKey answers when it does not do as asked: each class of status, for each call, with our own secrets and
    /// others' words in the text.
    func meetFaults() async throws {
        let live = try await stage.secrets()
        seen.append(live)
        let echo = "\(stray) \(stage.token)"
        let request = "/api/oauth/requests/{id}"
        for (status, error) in [
            (400, "invalid_input"), (400, stray.filter { $0.isLetter }), (401, "signature_invalid"),
            (401, "nonce_replayed"),
            (403, "vault_not_granted"), (404, "request_not_found"), (409, "request_not_pending"),
            (429, "too_many_requests"), (500, "database_error"),
        ] {
            try await fault("/api/oauth/requests", status: status, error: error)
            try await ask("a card refused with \(error)", wait: 1)
        }
        for status in [200, 204, 302, 400, 401, 404, 413, 500, 502, 503] {
            for path in ["/api/oauth/requests", request] {
                try await fault(path, status: status, text: "<html>\(echo)</html>")
                try await ask("a text with \(status)", wait: 1)
            }
        }
        for box in ["", "AAAA", stray, String(repeating: "A", count: 400), "%%%"] {
            let answer = #"{"id":"rq_1","status":"completed","result_enc":"\#(box)","\#(stray)":"\#(stage.token)"}"#
            try await fault("/api/oauth/requests", status: 200, text: answer)
            try await ask("a box that does not open", wait: 1)
        }
        for name in ["close_before_answer_next", "delay_next"] {
            for path in ["/api/oauth/requests", request] {
                try await stage.control("faults", #"{"name":"\#(name)","path":"\#(path)","ms":300}"#)
                try await ask("a fault of the connection", wait: 2)
            }
        }
        try await meetTokenFaults(echo)
    }

    /// Each with a grant of its own, because a failed refresh is not tried again at once.
    private func meetTokenFaults(_ echo: String) async throws {
        let answers: [(Int, String?, String?)] = [
            (401, "invalid_refresh_token", nil), (401, "refresh_token_reused", nil), (500, "database_error", nil),
            (502, nil, "<html>\(echo)</html>"), (422, nil, echo),
            (200, nil, #"{"access_token":"\#(stray)","x":"\#(echo)"}"#),
        ]
        for (status, error, text) in answers {
            try await authorize("authorize")
            try await stage.control("access-tokens/expire")
            try await fault("/api/oauth/token", status: status, error: error, text: text)
            try await ask("a refused refresh", wait: 1)
            note("status", try await stage.home.countersign("status"))
        }
        for (status, error) in [(400, "invalid_code"), (500, "database_error"), (400, "invalid_grant")] {
            try await fault("/api/oauth/token", status: status, error: error)
            note("a refused code", try await stage.authorize())
        }
        try await authorize("authorize")
        try await stage.control("grants/revoke")
        try await ask("a revoked grant", wait: 1)
        try await person("deny")
        note("a consent that is denied", try await stage.authorize())
        try await person("after=0s")
        try await authorize("authorize")
    }
}
