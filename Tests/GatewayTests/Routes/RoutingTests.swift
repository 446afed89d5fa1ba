import Core
import Strongbox
import Testing

@testable import Gateway

struct RoutingTests {
    @Test func `healthz needs no token and says only ok`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/healthz", token: nil)
            #expect(answer.status == 200)
            #expect(answer.text == #"{"status":"ok"}"#)
        }
    }

    @Test func `a method that a path has not is 405 with Allow`() async throws {
        try await withGateway { gateway in
            let post = await gateway.send(.put, "/v1/requests", body: "{}")
            #expect(post.status == 405)
            #expect(post.fields.text("allow") == "POST, GET, HEAD")
            let look = await gateway.send(.post, "/v1/requests/ask_0123456789abcdefghijkl", body: "{}")
            #expect(look.fields.text("allow") == "GET, HEAD, DELETE")
            let head = await gateway.send(.head, "/callback?state=x", token: nil)
            #expect(head.status == 405)
            #expect(head.fields.text("allow") == "GET")
        }
    }

    @Test(arguments: ["/nowhere", "/v1/requests/", "/v1//requests", "/V1/whoami", "/v1/whoami/", "/v1/%77hoami", "/"])
    func `an unknown path is 404 to a caller`(path: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, path)
            #expect(answer.status == 404)
            #expect(answer.error == "not_found")
        }
    }

    @Test func `H1-18 a target without a path is 405`() async throws {
        try await withGateway { gateway in
            for (method, target) in [(HTTPMethod.options, RequestTarget.asterisk), (.connect, .authority("a:1"))] {
                let head = RequestHead(method: method, target: target, fields: [HTTPField("host", "127.0.0.1:7447")])
                let response = await gateway.responder.respond(
                    to: HTTPRequest(head: head, peer: Peer(door: .tcp(TestGateway.address))))
                #expect(response.status == 405)
            }
        }
    }

    @Test func `HEAD is answered where GET is`() async throws {
        try await withGateway { gateway in
            for path in ["/healthz", "/openapi.yaml", "/v1/whoami"] {
                let get = await gateway.send(.get, path)
                let head = await gateway.send(.head, path)
                #expect(head.status == get.status)
                #expect(head.fields == get.fields)
            }
        }
    }

    @Test func `operator routes do not exist on TCP, nor caller routes on the operator's socket`() async throws {
        try await withGateway { gateway in
            #expect(await gateway.send(.get, "/admin/grant").status == 404)
            #expect(await gateway.send(.post, "/admin/authorize", body: "{}").status == 404)
            #expect(await gateway.operate(.get, "/v1/whoami").status == 404)
        }
    }

    @Test func `the operator's socket answers our own user and root alone`() async throws {
        try await withGateway { gateway in
            #expect(await gateway.operate(.get, "/admin/grant").status == 200)
            #expect(await gateway.operate(.get, "/admin/grant", uid: 0).status == 200)
            for path in ["/admin/grant", "/healthz", "/nowhere"] {
                #expect(await gateway.operate(.get, path, uid: 4712).status == 403)
            }
        }
    }

    @Test func `every answer is not to be kept and not to be sniffed`() async throws {
        try await withGateway { gateway in
            let answers = [
                await gateway.send(.get, "/v1/whoami"), await gateway.send(.get, "/v1/whoami", token: nil),
                await gateway.ask(), await gateway.send(.get, "/callback?state=x", token: nil),
                await gateway.send(.get, "/nowhere"), await gateway.operate(.get, "/admin/grant"),
            ]
            for answer in answers {
                #expect(answer.fields.text("cache-control") == "no-store")
                #expect(answer.fields.text("x-content-type-options") == "nosniff")
            }
        }
    }

    @Test func `a problem has every member and the trace id of its log line`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/nowhere")
            #expect(answer.fields.text("content-type") == "application/problem+json")
            let json = answer.json
            #expect(
                json.members.map(\.name) == [
                    "type", "error", "title", "status", "detail", "retryable", "next_action", "executed", "ask_id",
                    "trace_id",
                ])
            let traceID = try #require(json["trace_id"]?.string)
            let logged = gateway.log.contains { event in
                event.message.description == "request"
                    && event.values.contains { $0.field == .traceID && $0.value == .string(traceID) }
            }
            #expect(logged)
        }
    }
}
