import Core
import Testing

@testable import Gateway

/// A caller that is known by the socket it comes in by.
struct SocketCallerTests {
    private static let sockets = """
          - { unix: /run/countersign-test/agent.sock, caller: agent, allow_uids: [1001], mode: "0660", group: 12345 }
          - { unix: /run/countersign-test/own.sock, caller: other }
        """
    private static let own = "/run/countersign-test/own.sock"

    @Test func `a caller is known by its socket, whatever Authorization says`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            for token in [nil, TestGateway.otherToken, TestGateway.token, "cs_nonsense"] {
                let answer = await gateway.comeBySocket(.get, "/v1/whoami", token: token)
                #expect(answer.status == 200)
                #expect(answer.string("caller") == "agent")
                #expect(answer.string("known_by") == "socket")
                #expect(answer.json["uid"]?.integer == 1001)
            }
            let doubled = [HTTPField("authorization", "Basic x"), HTTPField("authorization", "Bearer y")]
            #expect(await gateway.comeBySocket(.get, "/v1/whoami", fields: doubled).status == 200)
        }
    }

    @Test func `on TCP a caller is known by its token, and has no uid`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            let json = await gateway.send(.get, "/v1/whoami").json
            #expect(json["known_by"]?.string == "token")
            #expect(json["uid"]?.kind == .null)
        }
    }

    @Test func `without allow_uids a socket lets in our own user, and root only when it is listed`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            let own = await gateway.comeBySocket(.get, "/v1/whoami", path: Self.own, uid: TestGateway.owner)
            #expect(own.string("caller") == "other")
            for uid: UInt32 in [0, 1001, 65534] {
                #expect(await gateway.comeBySocket(.get, "/v1/whoami", path: Self.own, uid: uid).status == 403)
            }
            for uid: UInt32 in [0, TestGateway.owner, 1002] {
                #expect(await gateway.comeBySocket(.get, "/v1/whoami", uid: uid).status == 403)
            }
            let unknown = Peer(door: .unix(path: Self.own, mode: 0o600))
            #expect(await gateway.send(.get, "/v1/whoami", host: "localhost", peer: unknown).status == 403)
        }
    }

    @Test func `a socket that the configuration does not know answers nobody`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.comeBySocket(.get, "/v1/whoami", uid: TestGateway.owner)
            #expect(answer.status == 403)
        }
    }

    @Test func `the card tells the caller and its user`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            let wait = [HTTPField("prefer", "wait=0")]
            let answer = await gateway.comeBySocket(
                .post, "/v1/requests", body: #"{"op":"pick_item","reason":"reconcile"}"#, fields: wait)
            #expect(answer.status == 202)
            #expect(await gateway.ask(#"{"op":"pick_item","hint":{"title":"x"},"reason":"by token"}"#).status == 202)
            #expect(
                gateway.mimiKey.cards.map { $0.body.root["reason"]?.string } == [
                    #"agent (uid 1001, verified by Countersign) says: "reconcile""#,
                    #"agent (verified by Countersign) says: "by token""#,
                ])
        }
    }

    @Test func `what a caller sends in Authorization goes nowhere`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            let canary = "cs_canary-of-a-socket-caller"
            _ = await gateway.comeBySocket(
                .post, "/v1/requests", body: #"{"op":"pick_item"}"#, token: canary,
                fields: [HTTPField("prefer", "wait=0")])
            _ = await gateway.ask()
            #expect(gateway.mimiKey.sent.count >= 2)
            for request in gateway.mimiKey.sent {
                let text = "\(request.target)\(request.fields.lines)" + String(decoding: request.body, as: UTF8.self)
                #expect(!text.contains(canary))
                #expect(!text.contains(TestGateway.token))
            }
            #expect(!gateway.logText.contains(canary))
        }
    }

    @Test func `operator routes do not exist on a caller's socket`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            for route in Routes.all where route.audience == .owner {
                let path = route.path.replacing("{id}", with: "x")
                #expect(await gateway.comeBySocket(route.method, path).error == "not_found")
                #expect(await gateway.comeBySocket(route.method, path, uid: 0).status == 403)
            }
            #expect(await gateway.comeBySocket(.get, "/nowhere").status == 404)
            #expect(await gateway.comeBySocket(.put, "/v1/requests").status == 405)
            #expect(await gateway.comeBySocket(.get, "/healthz").status == 200)
        }
    }

    @Test func `one socket's caller does not see the asks of another`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            #expect(await gateway.comeBySocket(.get, "/v1/requests/\(id)").status == 200)
            let other = await gateway.comeBySocket(
                .get, "/v1/requests/\(id)", path: Self.own, uid: TestGateway.owner)
            #expect(other.status == 404)
        }
    }

    @Test func `the log line has the user, and the pid that was seen`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            _ = await gateway.comeBySocket(.get, "/v1/whoami")
            let line = try #require(gateway.log.first { $0.message.description == "request" })
            #expect(line.values.contains { $0.field.rawValue == "uid" && $0.value == .integer(1001) })
            #expect(line.values.contains { $0.field.rawValue == "pid" && $0.value == .integer(1) })
        }
    }

    @Test func `a caller that may be the operator is warned of, to whoever may know`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            #expect(await gateway.send(.get, "/readyz", token: nil).json["warnings"] == nil)
            let itself = await gateway.comeBySocket(.get, "/readyz", path: Self.own, uid: TestGateway.owner)
            for answer in [itself, await gateway.operate(.get, "/readyz")] {
                let warnings = answer.json["warnings"]?.elements ?? []
                #expect(warnings.map { $0["code"]?.string } == ["caller_is_operator"])
                #expect(warnings.first?["detail"]?.string?.contains(Self.own) == true)
            }
        }
        try await withGateway { gateway in
            #expect(await gateway.operate(.get, "/readyz").json["warnings"]?.elements.isEmpty == true)
        }
    }

    @Test func `a caller learns nothing of another one from the warnings`() async throws {
        try await withGateway(.init(sockets: Self.sockets)) { gateway in
            for answer in [
                await gateway.send(.get, "/readyz"), await gateway.comeBySocket(.get, "/readyz"),
            ] {
                #expect(answer.json["warnings"]?.elements.isEmpty == true)
                #expect(!answer.text.contains(Self.own))
            }
        }
    }
}
