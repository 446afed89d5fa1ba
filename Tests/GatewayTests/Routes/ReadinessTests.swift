import Core
import TestSupport
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

    @Test func `SG-07 the difference of the clocks is told in seconds, once it is known`() async throws {
        try await withGateway { gateway in
            #expect(await gateway.operate(.get, "/readyz").json["details"]?["clock_offset_seconds"]?.isNull == true)
            var fields = HTTPFields()
            fields.append("date", HTTPDate.format(gateway.clock.wall + .seconds(4000)))
            gateway.mimiKey.answerNext(
                "POST",
                .success(
                    InboundResponse(
                        status: 401, fields: fields, body: Array(#"{"error":"timestamp_out_of_window"}"#.utf8))))
            _ = await gateway.ask()
            let json = await gateway.send(.get, "/readyz").json
            #expect(json["details"]?["clock_offset_seconds"]?.integer == 4000)
            #expect(json["clock"]?.string == "off")
        }
    }

    @Test func `a state that has a way out names the command`() async throws {
        try await withGateway(authorized: false) { gateway in
            let sentence = await gateway.operate(.get, "/readyz").json["details"]?["grant"]?.string
            #expect(sentence?.contains("`countersign authorize`") == true)
        }
        try await withGateway { gateway in
            gateway.mimiKey.answerNext("POST /api/oauth/token", .failure(.init(.closed, bytesMayHaveLeft: true)))
            _ = await gateway.operate(.post, "/admin/grant/refresh")
            let answer = await gateway.operate(.get, "/readyz")
            #expect(answer.string("grant") == "refresh_unknown")
            let sentence = answer.json["details"]?["grant"]?.string
            #expect(sentence?.contains("`countersign authorize`") == true)
            #expect(sentence?.contains("`countersign refresh --try-once`") == true)
        }
        try await withGateway { gateway in
            gateway.mimiKey.refuseNext("POST /api/oauth/token", status: 401, "grant_revoked")
            let refused = await gateway.operate(.post, "/admin/grant/refresh")
            #expect(refused.error == "revoked")
            #expect(refused.string("detail")?.contains("`countersign authorize`") == true)
            #expect(refused.string("next_action") == "authorize")
            let sentence = await gateway.operate(.get, "/readyz").json["details"]?["grant"]?.string
            #expect(sentence?.contains("`countersign authorize`") == true)
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
