import Core
import Foundation
import TestSupport
import Testing
import Transport
import Upstream

/// Which services are believed; nginx is the service.
struct CertificateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let certificate: String
        var host = "mimikey.test"
        let fault: TLSFault

        var testDescription: String { "\(certificate) for \(host): \(fault.rawValue)" }
    }

    private static func certificates() async throws -> TestPKI {
        let pki = try await TestPKI.newStandard()
        let name = ["DNS:mimikey.test"]
        try await pki.makeAuthority("stranger")
        try await pki.makeAuthority("old-middle", below: "root", valid: .past)
        try await pki.makeCertificate("expired", by: "middle", names: name, valid: .past)
        try await pki.makeCertificate("future", by: "middle", names: name, valid: .future)
        try await pki.makeCertificate("below-expired", by: "old-middle", names: name)
        try await pki.makeCertificate("other-name", by: "middle", names: ["DNS:other.test"])
        try await pki.makeCertificate("common-name", by: "middle", names: [])
        try await pki.makeCertificate("self-signed", by: nil, names: name)
        try await pki.makeCertificate("of-stranger", by: "stranger", names: name)
        try await pki.makeCertificate("wildcard", by: "middle", names: ["DNS:*.mimikey.test"])
        try await pki.makeCertificate("part-wildcard", by: "middle", names: ["DNS:a*.mimikey.test"])
        try await pki.makeCertificate("client", by: "middle", names: name, usage: "clientAuth")
        try await pki.makeCertificate("weak", by: "middle", names: name, key: ["-newkey", "rsa:1024"])
        try await pki.makeCertificate("no-authority", by: "good", names: name)
        return pki
    }

    /// Made once: many programs have to run for them.
    private static let pki = Task { try await certificates() }

    @Test(arguments: [
        Case(certificate: "expired", fault: .expired),
        Case(certificate: "below-expired", fault: .expired),
        Case(certificate: "future", fault: .notYetValid),
        Case(certificate: "other-name", fault: .wrongName),
        Case(certificate: "good", host: "mimikey.test.evil.test", fault: .wrongName),
        Case(certificate: "common-name", host: "localhost", fault: .wrongName),
        Case(certificate: "other-name", host: "127.0.0.1", fault: .wrongName),
        Case(certificate: "wildcard", host: "mimikey.test", fault: .wrongName),
        Case(certificate: "wildcard", host: "a.b.mimikey.test", fault: .wrongName),
        Case(certificate: "part-wildcard", host: "api.mimikey.test", fault: .wrongName),
        Case(certificate: "self-signed", fault: .unknownIssuer),
        Case(certificate: "of-stranger", fault: .unknownIssuer),
        Case(certificate: "client", fault: .badCertificate),
        Case(certificate: "weak", fault: .badCertificate),
        Case(certificate: "no-authority", fault: .badCertificate),
    ])
    func `a service whose certificate is not right gets nothing, and the reason is known`(
        _ case: Case
    ) async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(
            pki, certificate: `case`.certificate,
            server: "ssl_ciphers DEFAULT:@SECLEVEL=0; location / { return 200; }")
        try await withClient(of: `case`.host, nginx.port, trusting: pki.trust()) { client in
            await #expect(throws: SendFailure(.tls(`case`.fault), bytesMayHaveLeft: false)) {
                try await client.send(.get())
            }
        }
    }

    @Test func `a chain without its middle leads to nobody`() async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(pki, certificate: "good", sendsChain: false)
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust()) { client in
            await #expect(throws: SendFailure(.tls(.unknownIssuer), bytesMayHaveLeft: false)) {
                try await client.send(.get())
            }
        }
    }

    @Test func `a chain without end is not read to its end`() async throws {
        let pki = try await TestPKI.newStandard()
        let middle = String(decoding: try pki.bytes(of: "middle.pem"), as: UTF8.self)
        try pki.write(
            String(decoding: try pki.bytes(of: "good.pem"), as: UTF8.self) + String(repeating: middle, count: 400),
            to: "good.chain.pem")
        let nginx = try await Nginx(pki, certificate: "good")
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust()) { client in
            await #expect(throws: SendFailure(.tls(.other), bytesMayHaveLeft: false)) { try await client.send(.get()) }
        }
    }

    @Test func `TLS 1.0 and 1.1 are not spoken, though the service has nothing else`() async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(
            pki, certificate: "good", protocols: "TLSv1 TLSv1.1",
            server: "ssl_ciphers DEFAULT:@SECLEVEL=0; location / { return 200 $ssl_protocol; }")
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust()) { client in
            await #expect(throws: SendFailure(.tls(.protocolVersion), bytesMayHaveLeft: false)) {
                try await client.send(.get())
            }
        }
        // It does speak with whoever takes less.
        let other = try await Tool.run(
            "curl", "-sS", "--tls-max", "1.1", "--ciphers", "DEFAULT:@SECLEVEL=0", "--cacert", pki.path("root.pem"),
            "https://localhost:\(nginx.port)/")
        #expect(other == "TLSv1.1")
    }

    @Test(arguments: [
        ("good", "mimikey.test"), ("good", "MIMIKEY.test"), ("good", "mimikey.test."), ("good", "127.0.0.1"),
        ("wildcard", "api.mimikey.test"),
    ])
    func `a service whose certificate is right is spoken with`(_ certificate: String, _ host: String) async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(pki, certificate: certificate)
        try await withClient(of: host, nginx.port, trusting: pki.trust()) { client in
            let answer = try await client.send(.get())
            // The name is said in the handshake, an address is not (RFC 6066, section 3).
            let name = IPAddress(host) == nil ? host.lowercased().trimmingCharacters(in: ["."]) : ""
            #expect(answer.text.lowercased() == "tlsv1.3 . \(name)")
        }
    }

    @Test func `the authorities that are given replace those of the machine`() async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(pki, certificate: "of-stranger")
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust("stranger")) { client in
            let status = try await client.send(.get()).status
            #expect(status == 200)
        }
        try await withClient(of: "mimikey.test", nginx.port, trusting: TLSTrust()) { client in
            let failure = await #expect(throws: SendFailure.self) { try await client.send(.get()) }
            let expected: Set<SendFailure.Reason> = [.tls(.unknownIssuer), .tls(.noAuthorities)]
            #expect(failure.map { expected.contains($0.reason) } == true)
        }
    }

    @Test func `TLS 1.2 is spoken with a service that has no better`() async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(
            pki, certificate: "good", protocols: "TLSv1.2", server: "location / { return 200 $ssl_protocol; }")
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust()) { client in
            let text = try await client.send(.get()).text
            #expect(text == "TLSv1.2")
        }
    }

    @Test(arguments: ["AES256-SHA256", "ECDHE-ECDSA-AES128-SHA256"])
    func `a cipher without a secret of its own, or without authentication, is not spoken`(
        _ cipher: String
    ) async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(
            pki, certificate: "good", protocols: "TLSv1.2",
            server: "ssl_ciphers \(cipher); location / { return 200; }")
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust()) { client in
            await #expect(throws: SendFailure(.tls(.other), bytesMayHaveLeft: false)) { try await client.send(.get()) }
        }
    }

    @Test(arguments: ["TLSv1.3", "TLSv1.2"])
    func `a second handshake is resumed with the ticket of the first`(_ version: String) async throws {
        let pki = try await Self.pki.value
        let nginx = try await Nginx(
            pki, certificate: "good", protocols: version,
            server: "keepalive_timeout 0; location / { return 200 $ssl_session_reused; }")
        try await withClient(of: "mimikey.test", nginx.port, trusting: pki.trust()) { client in
            var kinds: [String] = []
            for _ in 0..<4 { kinds.append(try await client.send(.get()).text) }
            #expect(kinds == [".", "r", "r", "r"])
        }
    }

    @Test(arguments: [
        ("", TLSAuthorities.Unreadable.noCertificate),
        ("nothing of the kind\n", .noCertificate),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", .damaged(1)),
        ("-----BEGIN CERTIFICATE-----\n", .damaged(1)),
    ])
    func `what is no list of authorities is refused`(
        _ text: String, _ reason: TLSAuthorities.Unreadable
    ) throws {
        #expect(throws: reason) { try TLSAuthorities(pem: Array(text.utf8)) }
    }

    @Test func `a list of authorities is read to its end`() async throws {
        let pki = try await Self.pki.value
        let two = try pki.bytes(of: "root.pem") + Array("a comment\n".utf8) + pki.bytes(of: "stranger.pem")
        #expect(try TLSAuthorities(pem: two).count == 2)
        #expect(throws: TLSAuthorities.Unreadable.damaged(2)) {
            try TLSAuthorities(pem: pki.bytes(of: "root.pem") + Array("-----BEGIN CERTIFICATE-----\n".utf8))
        }
    }
}
