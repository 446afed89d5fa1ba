import Core
import Testing

@testable import Gateway

/// Every route is behind the same door; these go through the whole responder.
struct DoorTests {
    private static let unix = Peer(
        door: .unix(path: "/run/countersign-test/admin.sock", mode: 0o600),
        credentials: PeerCredentials(uid: TestGateway.owner, pid: 1))

    @Test(arguments: ["127.0.0.1:7447", "localhost:7447", "[::1]:7447", "LOCALHOST:7447", "countersign:7447"])
    func `BR-01 the listener's own names and the configured ones pass`(host: String) async throws {
        try await withGateway(.init(hosts: "[countersign:7447]")) { gateway in
            let answer = await gateway.send(.get, "/healthz", token: nil, host: host)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        "0.0.0.0:7447", "[::]:7447", "127.1:7447", "2130706433:7447", "0x7f.1:7447", "[::ffff:127.0.0.1]:7447",
        "localhost.:7447", "localhost.evil.test:7447", "127.0.0.1.nip.test:7447", "a.localhost:7447", "127.0.0.1",
        "localhost", "127.0.0.1:7448", "127.0.0.1:07447", "evil.test", "", "_", "countersign:7447",
    ])
    func `BR-02 every other Host is 403, whatever the route and the token`(host: String) async throws {
        try await withGateway { gateway in
            for target in ["/healthz", "/v1/whoami", "/nowhere", "/callback?state=x", "/openapi.yaml"] {
                for token in [nil, TestGateway.token] {
                    let answer = await gateway.send(.get, target, token: token, host: host)
                    #expect(answer.status == 403)
                    #expect(answer.error == "host_not_allowed")
                }
            }
            let post = await gateway.send(.post, "/v1/requests", body: "{", token: nil, host: host)
            #expect(post.error == "host_not_allowed")
        }
    }

    @Test func `BR-02 a missing or doubled Host is 403`() async throws {
        try await withGateway { gateway in
            #expect(await gateway.send(.get, "/healthz", host: nil).error == "host_not_allowed")
            let doubled = await gateway.send(.get, "/healthz", fields: [HTTPField("host", "127.0.0.1:7447")])
            #expect(doubled.error == "host_not_allowed")
        }
    }

    @Test(arguments: [
        "null", "file://", "chrome-extension://abcdef", "http://localhost:3000", "https://127.0.0.1:7447",
        "http://evil.test", "http://localhost:7447", "http://127.0.0.1:7447/", "http://127.0.0.1", "",
    ])
    func `BR-04 an Origin that is not the listener's own is 403`(origin: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/v1/whoami", fields: [HTTPField("origin", origin)])
            #expect(answer.status == 403)
            #expect(answer.error == "origin_not_allowed")
        }
    }

    @Test func `BR-04 the listener's own Origin passes, under the name that it was called by`() async throws {
        try await withGateway { gateway in
            func status(_ host: String, _ origins: String...) async -> Int {
                let fields = origins.map { HTTPField("origin", $0) }
                return await gateway.send(.get, "/v1/whoami", fields: fields, host: host).status
            }
            for host in ["127.0.0.1:7447", "localhost:7447", "[::1]:7447"] {
                #expect(await status(host, "http://\(host)") == 200)
                #expect(await status(host, "https://\(host)") == 403)
                #expect(await status(host, "http://\(host)", "http://\(host)") == 403)
                #expect(await status(host, "http://\(host)", "http://evil.test") == 403)
            }
            #expect(await status("localhost:7447", "http://localhost:3000") == 403)
        }
    }

    @Test(arguments: ["cross-site", "same-site", "CROSS-SITE", "something"])
    func `BR-05 a page of another site is 403 without an Origin too`(site: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/v1/whoami", fields: [HTTPField("sec-fetch-site", site)])
            #expect(answer.error == "origin_not_allowed")
        }
    }

    @Test(arguments: [nil, "none", "same-origin"] as [String?])
    func `BR-05 a request of no page, or of our own, goes on to the token`(site: String?) async throws {
        try await withGateway { gateway in
            let fields = site.map { [HTTPField("sec-fetch-site", $0)] } ?? []
            #expect(await gateway.send(.get, "/v1/whoami", fields: fields).status == 200)
            #expect(await gateway.send(.get, "/v1/whoami", token: nil, fields: fields).status == 401)
        }
    }

    @Test func `BR-05 a callback may come from another site as a document navigation only`() async throws {
        @Sendable func callback(_ gateway: TestGateway, mode: String?, destination: String?) async -> Int {
            var fields = [HTTPField("sec-fetch-site", "cross-site")]
            if let mode { fields.append(HTTPField("sec-fetch-mode", mode)) }
            if let destination { fields.append(HTTPField("sec-fetch-dest", destination)) }
            return await gateway.send(.get, "/callback?state=x", token: nil, fields: fields).status
        }
        try await withGateway { gateway in
            // 400: through the door, and nobody waits for this state.
            #expect(await callback(gateway, mode: "navigate", destination: "document") == 400)
            #expect(await callback(gateway, mode: nil, destination: nil) == 400)
            #expect(await callback(gateway, mode: "navigate", destination: "iframe") == 403)
            #expect(await callback(gateway, mode: "no-cors", destination: "image") == 403)
            #expect(await callback(gateway, mode: "navigate", destination: nil) == 403)
        }
    }

    @Test func `BR-10 a preflight is 403 and no answer speaks of CORS`() async throws {
        try await withGateway { gateway in
            let foreign = [
                HTTPField("origin", "https://evil.test"), HTTPField("access-control-request-method", "POST"),
                HTTPField("access-control-request-private-network", "true"),
            ]
            let preflight = await gateway.send(.options, "/v1/requests", token: nil, fields: foreign)
            #expect(preflight.status == 403)
            let own = [HTTPField("origin", "http://127.0.0.1:7447")]
            let answers = [
                preflight, await gateway.send(.get, "/healthz", token: nil, fields: own),
                await gateway.send(.options, "/v1/requests", token: nil, fields: own), await gateway.ask(),
            ]
            for answer in answers {
                #expect(!answer.fields.lines.contains { $0.name.canonical.hasPrefix("access-control-") })
            }
        }
    }

    @Test(
        arguments: [
            "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-anything", "forwarded", "via",
            "x-real-ip",
        ] as [HTTPFieldName])
    func `BR-14 a request that came through a proxy is 400`(name: HTTPFieldName) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/v1/whoami", fields: [HTTPField(name, "10.0.0.1")])
            #expect(answer.status == 400)
            #expect(answer.error == "forwarded")
        }
    }

    @Test func `BR-21 a Unix socket takes Host localhost, empty or underscore only`() async throws {
        let sockets = "  - { unix: /run/countersign-test/agent.sock, caller: agent, allow_uids: [1001] }"
        try await withGateway(.init(sockets: sockets)) { gateway in
            for host in ["localhost", "", "_", "LocalHost"] {
                #expect(await gateway.operate(.get, "/admin/grant", host: host).status == 200)
                #expect(await gateway.comeBySocket(.get, "/v1/whoami", host: host).status == 200)
            }
            for host in ["127.0.0.1:7447", "localhost:7447", "evil.test", "localhost.", "__", " "] {
                #expect(await gateway.operate(.get, "/admin/grant", host: host).error == "host_not_allowed")
                #expect(await gateway.comeBySocket(.get, "/v1/whoami", host: host).error == "host_not_allowed")
            }
        }
    }

    @Test func `no Origin is right on the operator's socket`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.operate(
                .get, "/admin/grant", fields: [HTTPField("origin", "http://localhost")])
            #expect(answer.error == "origin_not_allowed")
        }
    }

    @Test func `a listener with a chosen port is known by its address`() throws {
        let listener = Listener(
            address: TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0), hosts: ["countersign:7447"])
        let door = Door(listeners: [listener])
        let bound = Peer(door: .tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 51234)))
        func admit(_ host: String) throws {
            let head = RequestHead(
                method: .get, target: .origin(path: "/healthz", query: nil), fields: [HTTPField("host", host)])
            try door.admit(head, peer: bound, isCallback: false)
        }
        try admit("127.0.0.1:51234")
        try admit("countersign:7447")
        #expect(throws: Problem.self) { try admit("127.0.0.1:0") }
    }

    @Test func `the literal address of a listener passes, never an unspecified one`() throws {
        func admit(_ host: String, _ ip: IPAddress) throws {
            let head = RequestHead(
                method: .get, target: .origin(path: "/healthz", query: nil), fields: [HTTPField("host", host)])
            let peer = Peer(door: .tcp(TCPAddress(ip: ip, port: 7447)))
            try Door(listeners: []).admit(head, peer: peer, isCallback: false)
        }
        try admit("127.0.0.2:7447", .v4([127, 0, 0, 2]))
        #expect(throws: Problem.self) { try admit("0.0.0.0:7447", .v4([0, 0, 0, 0])) }
        #expect(throws: Problem.self) { try admit("127.0.0.2:7447", .v4([127, 0, 0, 3])) }
    }
}
