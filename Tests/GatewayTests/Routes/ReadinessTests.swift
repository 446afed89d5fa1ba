import Core
import Testing

@testable import Gateway

struct ReadinessTests {
    @Test func `without a grant it is not ready, and says so in a word`() async throws {
        try await withGateway(authorized: false) { gateway in
            let answer = await gateway.send(.get, "/readyz", token: nil)
            #expect(answer.status == 503)
            let json = answer.json
            #expect(json["ready"]?.bool == false)
            #expect(json["grant"]?.string == "none")
            #expect(json["upstream"]?.string == "unknown")
            #expect(json["store"]?.string == "ok")
            #expect(json["details"] == nil)
        }
    }

    @Test func `with a grant it is ready before MimiKey was called`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/readyz", token: nil)
            #expect(answer.status == 200)
            #expect(answer.string("grant") == "active")
        }
    }

    @Test func `details are for a caller and the operator`() async throws {
        try await withGateway { gateway in
            #expect(await gateway.send(.get, "/readyz").json["details"]?["grant"]?.string == "There is a grant.")
            #expect(await gateway.operate(.get, "/readyz").json["details"] != nil)
            #expect(await gateway.send(.get, "/readyz", token: "cs_wrong").status == 401)
        }
    }

    @Test func `when MimiKey does not answer it is not ready`() async throws {
        try await withGateway { gateway in
            gateway.mimiKey.answerNext("POST", .failure(.init(.connectFailed, bytesMayHaveLeft: false)))
            _ = await gateway.ask()
            let answer = await gateway.send(.get, "/readyz")
            #expect(answer.status == 503)
            #expect(answer.string("upstream") == "unreachable")
        }
    }

    @Test func `when MimiKey is not believed it is not ready, and the log says why once`() async throws {
        try await withGateway { gateway in
            for _ in 0..<2 {
                gateway.mimiKey.answerNext("POST", .failure(.init(.tls(.expired), bytesMayHaveLeft: false)))
                let refused = await gateway.ask()
                #expect(refused.status == 502)
                #expect(refused.string("error") == "upstream_certificate")
            }
            let answer = await gateway.send(.get, "/readyz")
            #expect(answer.status == 503)
            #expect(answer.string("upstream") == "untrusted")
            let faults = gateway.log.filter { $0.message.description == "no TLS connection to MimiKey" }
            #expect(faults.count == 1)
        }
    }
}
