import Core
import Foundation
import TestSupport
import Testing

/// The built program and a MimiKey behind TLS.
@Suite(.timeLimit(.minutes(5))) struct SecuredTests {
    @Test func `a pick over verified TLS brings the record`() async throws {
        let stage = try await SecuredStage()
        let authorized = try await stage.authorize()
        #expect(authorized.status == 0, "\(authorized.errors)")
        let answer = try await stage.ask(wait: 20)
        #expect(answer.status == 200)
        #expect(answer.state == "completed", "\(answer.body)")
        #expect(answer.record?["password"]?.string?.isEmpty == false)
        #expect(try await stage.upstreamState() == "ok")
        await stage.end()
    }

    struct BadService: Sendable, CustomTestStringConvertible {
        let name: String
        var protocols = "TLSv1.2 TLSv1.3"
        let code: String
        let fault: String
        let make: @Sendable (TestPKI) async throws -> Void

        var testDescription: String { name }
    }

    @Test(arguments: [
        BadService(name: "other-name", code: "upstream_certificate", fault: "wrong_name") {
            try await $0.makeCertificate("other-name", by: "middle", names: ["DNS:other.test"])
        },
        BadService(name: "expired", code: "upstream_certificate", fault: "expired") {
            try await $0.makeCertificate("expired", by: "middle", names: ["DNS:localhost"], valid: .past)
        },
        BadService(name: "self-signed", code: "upstream_certificate", fault: "unknown_issuer") {
            try await $0.makeCertificate("self-signed", by: nil, names: ["DNS:localhost"])
        },
        BadService(name: "good", protocols: "TLSv1", code: "upstream_tls", fault: "protocol_version") { _ in },
    ])
    func `PX-17 with a bad name, expired, self-signed or TLS 1.0 an ask is 502, and nothing turns that off`(
        _ bad: BadService
    ) async throws {
        let stage = try await SecuredStage()
        let authorized = try await stage.authorize()
        #expect(authorized.status == 0, "\(authorized.errors)")
        try await bad.make(stage.pki)
        let nginx = try await stage.replaceNginx(certificate: bad.name, protocols: bad.protocols)
        let refused = try await stage.ask(wait: 5)
        #expect(refused.status == 502)
        #expect(refused.json?["error"]?.string == bad.code, "\(refused.body)")
        #expect(refused.json?["executed"]?.bool == false)
        try await stage.gateway.says("\"fault\":\"\(bad.fault)\"")
        #expect(try await stage.upstreamState() == (bad.code == "upstream_tls" ? "unreachable" : "untrusted"))
        // There is no such key, whatever one would like to call it.
        let configuration = try stage.home.text(stage.home.configuration)
        for key in ["insecure", "verify", "skip_verify", "tls"] {
            let file = try stage.home.write(
                configuration.replacing("  ca_file:", with: "  \(key): false\n  ca_file:"), to: "\(key).yaml")
            let checked = try await stage.countersign("check", "--config", file)
            #expect(checked.status == 7, "\(key)")
        }
        await nginx.end()
        await stage.end()
    }

    @Test func `PX-18 the proxies of the environment are ignored, for MimiKey and for this machine`() async throws {
        let (trap, port) = try RawSocket.listen()
        let proxies = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].map {
            "\($0)=http://127.0.0.1:\(port)"
        }
        let stage = try await SecuredStage(environment: { _ in proxies + ["NO_PROXY=", "no_proxy="] })
        let authorized = try await stage.authorize()
        #expect(authorized.status == 0, "\(authorized.errors)")
        let token = try stage.home.write(stage.token + "\n", to: "token")
        let picked = try await stage.countersign(
            "pick", "--url", "https://bank.example.com", "--token-file", token, "--wait", "20")
        #expect(picked.status == 0, "\(picked.errors)")
        let demo = try await stage.countersign("demo", "--once")
        #expect(demo.status == 0, "\(demo.errors)")
        #expect(!trap.isWantedBySomebody)
        await stage.end()
    }

    @Test func `authorities of the environment are not believed`() async throws {
        let stage = try await SecuredStage(
            environment: { pki in
                ["SSL_CERT_FILE=\(pki.path("root.pem"))", "SSL_CERT_DIR=\(pki.directory)"]
            }, hasCAFile: false)
        let authorized = try await stage.authorize()
        #expect(authorized.status != 0)
        try await stage.gateway.says("\"message\":\"no TLS connection to MimiKey\"")
        #expect(try await stage.upstreamState() == "untrusted")
        await stage.end()
    }

    @Test func `SIGTERM in the midst of a TLS handshake that is stalled ends the gateway in time`() async throws {
        let stage = try await SecuredStage()
        let authorized = try await stage.authorize()
        #expect(authorized.status == 0, "\(authorized.errors)")
        await stage.nginx.end()
        let (silent, _) = try RawSocket.listen(port: stage.nginx.port)
        async let asked = stage.ask(wait: 20)
        let connection = try await silent.accept()
        #expect(try await !connection.receive().isEmpty)
        let begun = ContinuousClock.now
        #expect(await stage.gateway.end().status == 0)
        #expect(ContinuousClock.now - begun < .seconds(30))
        _ = try await asked
        await stage.end()
    }

    @Test(arguments: ["https://localhost:7447", "https://127.0.0.1:7447", "http://mimikey.example"])
    func `a caller's token goes to no gateway that is elsewhere`(_ origin: String) async throws {
        let home = try Home()
        let token = try home.write("cs_token\n", to: "token")
        let picked = try await home.countersign(
            "pick", "--gateway", origin, "--url", "https://bank.example.com", "--token-file", token)
        #expect(picked.status == 2)
        #expect(picked.errors.contains("must be an origin on a loopback address"))
    }
}
