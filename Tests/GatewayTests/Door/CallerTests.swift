import Core
import Testing

@testable import Gateway

struct CallerTests {
    @Test func `BR-13 every API route on TCP wants a token, to read as well, known path or not`() async throws {
        try await withGateway { gateway in
            let open = Routes.all.filter { [.anyone, .anyoneOrCaller, .browser].contains($0.audience) }
            #expect(Set(open.map(\.path)) == ["/healthz", "/readyz", "/openapi.yaml", "/callback"])
            let closed = Routes.all.filter { route in !open.contains { $0.path == route.path } }
            #expect(!closed.isEmpty)
            let unknown = ["/nowhere", "/", "/v1", "/v1/requests/", "/admin", "/v1/WHOAMI", "/_sandbox/stats"]
            for path in closed.map(\.concretePath) + unknown {
                for method in HTTPMethod.ofEveryKind {
                    for token in [nil, "cs_wrong"] {
                        let answer = await gateway.send(method, path, body: "{}", token: token)
                        #expect(answer.status == 401, "\(method) \(path)")
                        #expect(answer.error == "unauthorized")
                        #expect(answer.fields.text("www-authenticate") == "Bearer")
                    }
                }
            }
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test(arguments: ["cs_wrong", "", "cs_" + String(repeating: "a", count: 42), String(repeating: "x", count: 5000)])
    func `a token of nobody is 401`(token: String) async throws {
        try await withGateway { gateway in
            #expect(await gateway.send(.get, "/v1/whoami", token: token).status == 401)
        }
    }

    @Test func `BR-12 a token counts in Authorization only: not in a query, a cookie, a form, a body or another field`()
        async throws
    {
        try await withGateway { gateway in
            let token = TestGateway.token
            let query = await gateway.send(.get, "/v1/whoami?access_token=\(token)&token=\(token)", token: nil)
            #expect(query.status == 401)
            for field in [
                HTTPField("cookie", "token=\(token)"), HTTPField("x-api-key", token),
                HTTPField("proxy-authorization", "Bearer \(token)"), HTTPField("authorization", "Basic \(token)"),
                HTTPField("authorization", token), HTTPField("authorization", "Bearer"),
            ] {
                #expect(await gateway.send(.get, "/v1/whoami", token: nil, fields: [field]).status == 401)
            }
            let form = [HTTPField("content-type", "application/x-www-form-urlencoded")]
            for (body, fields) in [
                ("access_token=\(token)", form), ("token=\(token)&op=pick_item", form),
                (#"{"op":"pick_item","token":"\#(token)","access_token":"\#(token)"}"#, []),
            ] {
                let answer = await gateway.send(.post, "/v1/requests", body: body, token: nil, fields: fields)
                #expect(answer.status == 401)
            }
            let doubled = await gateway.send(
                .get, "/v1/whoami", fields: [HTTPField("authorization", "Bearer \(token)")])
            #expect(doubled.status == 401)
        }
    }

    @Test func `the scheme is compared without case`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(
                .get, "/v1/whoami", token: nil, fields: [HTTPField("authorization", "bEARER  \(TestGateway.token)")])
            #expect(answer.status == 200)
        }
    }

    @Test func `whoami says who, what may be asked, and how long is waited`() async throws {
        let rules = """
                  - { ops: [pick_item], hosts: [bank.example.com, "*.shop.example"], fields: [username] }
                  - { ops: [pick_item], fields: all }
                  - { ops: [update_item, get_item], vaults: [Work, v_2], items: [it_2, it_1], writes: all, trust: allow }
            """
        try await withGateway(.init(rules: rules)) { gateway in
            let json = await gateway.send(.get, "/v1/whoami").json
            #expect(json["caller"]?.string == "agent")
            let first = json["may"]?.elements[0]
            #expect(first?["ops"]?.elements.map(\.string) == ["pick_item"])
            #expect(first?["hosts"]?.elements.map(\.string) == ["bank.example.com", "*.shop.example"])
            #expect(first?["fields"]?.elements.map(\.string) == ["username"])
            #expect(json["may"]?.elements[1]["hosts"]?.string == "any")
            #expect(json["may"]?.elements[1]["fields"]?.string == "all")
            #expect(json["may"]?.elements[1]["vaults"]?.string == "any")
            #expect(json["may"]?.elements[1]["writes"]?.elements.isEmpty == true)
            #expect(json["may"]?.elements[1]["trust"]?.bool == false)
            let third = json["may"]?.elements[2]
            #expect(third?["ops"]?.elements.map(\.string) == ["get_item", "update_item"])
            #expect(third?["vaults"]?.elements.map(\.string) == ["Work", "v_2"])
            #expect(third?["items"]?.elements.map(\.string) == ["it_1", "it_2"])
            #expect(third?["kinds"]?.string == "any")
            #expect(third?["writes"]?.string == "all")
            #expect(third?["trust"]?.bool == true)
            #expect(json["limits"]?["open"]?.integer == 3)
            #expect(json["default_wait"]?.integer == 25)
            #expect(json["longest_wait"]?.integer == 300)
            #expect(json["sandbox"]?.bool == true)
        }
    }
}
