import Core
import Testing

@testable import Gateway

/// What a page in a browser may try, on every route there is.
struct PageTests {
    /// A request as a page of another site makes it.
    private static let foreign = [
        HTTPField("origin", "http://evil.test:7447"), HTTPField("sec-fetch-site", "cross-site"),
        HTTPField("sec-fetch-mode", "cors"), HTTPField("sec-fetch-dest", "empty"),
    ]

    private static func walk(_ body: (HTTPMethod, String) async throws -> Void) async rethrows {
        for path in Set(Routes.all.map(\.concretePath)).union(["/nowhere", "/"]).sorted() {
            for method in HTTPMethod.ofEveryKind { try await body(method, path) }
        }
    }

    @Test func `BR-03 a name that was bound anew gets 403 on every route, and learns nothing`() async throws {
        try await withGateway { gateway in
            let before = try await gateway.traces()
            // Such a page is of our own origin, as far as its browser knows, and may even have a token.
            let fields = [
                HTTPField("origin", "http://evil.test:7447"), HTTPField("sec-fetch-site", "same-origin"),
                HTTPField("sec-fetch-mode", "cors"), HTTPField("sec-fetch-dest", "empty"),
            ]
            var answers: Set<String> = []
            await Self.walk { method, path in
                for host in ["evil.test:7447", "evil.test"] {
                    for token in [nil, TestGateway.token] {
                        let answer = await gateway.send(
                            method, path, body: "{}", token: token, fields: fields, host: host)
                        #expect(answer.status == 403, "\(method) \(path)")
                        answers.insert(answer.withoutTrace)
                    }
                }
            }
            // One answer to all of it: which routes there are does not show either.
            #expect(answers.count == 1)
            let text = answers.joined().lowercased()
            for word in ["countersign", "0.1", "swift", "libuv", "server:", "linux", "mimikey", "7447"] {
                #expect(!text.contains(word), "\(word)")
            }
            #expect(try await gateway.traces() == before)
        }
    }

    @Test func `BR-01 a gateway that ends tells so to its callers alone`() async throws {
        try await withGateway { gateway in
            await gateway.responder.drain()
            #expect(await gateway.send(.get, "/v1/whoami", host: "evil.test").error == "host_not_allowed")
            #expect(await gateway.send(.get, "/v1/whoami", fields: Self.foreign).error == "origin_not_allowed")
            #expect(await gateway.send(.get, "/v1/whoami").error == "shutting_down")
        }
    }

    @Test func `BR-04 no route takes the Origin of a page that is not ours`() async throws {
        try await withGateway { gateway in
            let before = try await gateway.traces()
            for origin in ["null", "file://", "http://localhost:3000", "https://127.0.0.1:7447"] {
                await Self.walk { method, path in
                    let answer = await gateway.send(method, path, body: "{}", fields: [HTTPField("origin", origin)])
                    #expect(answer.error == "origin_not_allowed", "\(method) \(path)")
                }
            }
            #expect(try await gateway.traces() == before)
        }
    }

    @Test func `BR-06 a page that comes by 0.0.0.0 without CORS gets 403 and has no effect`() async throws {
        try await withGateway { gateway in
            let before = try await gateway.traces()
            let fields = [HTTPField("sec-fetch-site", "cross-site"), HTTPField("sec-fetch-mode", "no-cors")]
            await Self.walk { method, path in
                for host in ["0.0.0.0:7447", "0.0.0.0", "[::]:7447"] {
                    for metadata in [[], fields] {
                        let answer = await gateway.send(method, path, body: "{}", fields: metadata, host: host)
                        #expect(answer.status == 403, "\(method) \(path)")
                    }
                }
            }
            #expect(try await gateway.traces() == before)
        }
    }

    @Test(arguments: [
        "text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "text/plain; application/json", "",
    ])
    func `BR-07 a body of a type that a page may send unasked is 415, and has no effect`(type: String) async throws {
        try await withGateway { gateway in
            let before = try await gateway.traces()
            for route in Routes.all where route.method == .post && route.audience == .caller {
                for origin in [[], [HTTPField("origin", "http://127.0.0.1:7447")]] {
                    let answer = await gateway.send(
                        .post, route.path, body: #"{"op":"pick_item"}"#,
                        fields: [HTTPField("content-type", type)] + origin)
                    #expect(answer.status == 415)
                    #expect(answer.error == "unsupported_media_type")
                }
            }
            #expect(try await gateway.traces() == before)
        }
    }

    @Test(arguments: [
        ["application/json, text/plain"], ["application/jsonx"], ["application/json;charset=utf-7"],
        ["application/json", "application/json"], ["application/json", "text/plain"],
        ["text/plain", "application/json"], ["application/json;charset=utf-8;charset=utf-8"], ["text/json"],
        ["application/json;x=y"], ["application/ json"], ["application/json/x"], ["*/*"], ["application/*"],
        ["application/json charset=utf-8"], ["application/json;charset="], ["\"application/json\""],
        ["application/vnd.api+json"],
    ])
    func `BR-08 what is nearly a JSON type is 415`(types: [String]) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(
                .post, "/v1/requests", body: #"{"op":"pick_item"}"#,
                fields: types.map { HTTPField("content-type", $0) })
            #expect(answer.status == 415)
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `BR-10 a preflight of another origin is 403 on every route, and nothing speaks of CORS`() async throws {
        try await withGateway { gateway in
            let preflight =
                Self.foreign + [
                    HTTPField("access-control-request-method", "POST"),
                    HTTPField("access-control-request-headers", "authorization,content-type"),
                    HTTPField("access-control-request-private-network", "true"),
                    HTTPField("access-control-request-local-network", "true"),
                ]
            await Self.walk { _, path in
                let answer = await gateway.send(.options, path, token: nil, fields: preflight)
                #expect(answer.status == 403)
                #expect(!answer.speaksOfCORS)
            }
        }
    }

    @Test func `BR-11 no answer allows an origin, and none repeats one`() async throws {
        try await withGateway { gateway in
            for origin in ["http://127.0.0.1:7447", "http://evil.test:7447", "null"] {
                await Self.walk { method, path in
                    let answer = await gateway.send(
                        method, path, body: "{}", fields: [HTTPField("origin", origin)])
                    #expect(!answer.speaksOfCORS)
                    if origin != "null" {
                        #expect(!answer.fields.lines.contains { $0.text.contains(origin) })
                        #expect(answer.status < 300 || !answer.text.contains(origin))
                    }
                }
            }
        }
    }

    @Test func `BR-15 a WebSocket or an event stream of another origin is 403`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let socket = [
                HTTPField("connection", "Upgrade"), HTTPField("upgrade", "websocket"),
                HTTPField("sec-websocket-version", "13"), HTTPField("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ]
            let events = [HTTPField("accept", "text/event-stream"), HTTPField("cache-control", "no-cache")]
            for path in Set(Routes.all.filter { $0.method == .get }.map { $0.path.replacing("{id}", with: id) }) {
                for kind in [socket, events] {
                    for token in [nil, TestGateway.token] {
                        for origin in ["http://evil.test", "null", "http://localhost:3000"] {
                            let answer = await gateway.send(
                                .get, path, token: token, fields: kind + [HTTPField("origin", origin)])
                            #expect(answer.status == 403, "\(path)")
                        }
                        let metadata = [
                            HTTPField("sec-fetch-site", "cross-site"), HTTPField("sec-fetch-mode", "cors"),
                            HTTPField("sec-fetch-dest", "empty"),
                        ]
                        let answer = await gateway.send(.get, path, token: token, fields: kind + metadata)
                        #expect(answer.status == 403, "\(path)")
                    }
                }
                // Of our own origin it is a plain GET: nothing is ever upgraded.
                let own = await gateway.send(
                    .get, path, fields: socket + [HTTPField("origin", "http://127.0.0.1:7447")])
                #expect(own.status != 101)
            }
        }
    }
}

extension Answer {
    fileprivate var speaksOfCORS: Bool {
        fields.lines.contains { line in
            line.name.canonical.hasPrefix("access-control-") || line.name == "cross-origin-resource-policy"
        }
    }
}
