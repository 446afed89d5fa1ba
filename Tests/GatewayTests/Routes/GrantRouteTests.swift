import Core
import MimiKey
import Strongbox
import TestSupport
import Testing

@testable import Gateway

struct GrantRouteTests {
    private static let ok = InboundResponse(status: 200, body: Array(#"{"ok":true}"#.utf8))

    private func isGone(_ answer: Answer) {
        #expect(answer.status == 200)
        #expect(answer.state == "none")
        #expect(answer.json["authorized"]?.bool == false)
        #expect(answer.json["vaults"]?.elements.isEmpty == true)
    }

    @Test func `a grant is revoked, and then there is none to revoke`() async throws {
        try await withGateway { gateway in
            gateway.mimiKey.answerNext("POST /api/oauth/revoke", .success(Self.ok))
            isGone(await gateway.operate(.delete, "/admin/grant"))
            let again = await gateway.operate(.delete, "/admin/grant")
            #expect(again.status == 409)
            #expect(again.error == "not_authorized")
            let stored = try await gateway.store.loadGrant()
            #expect(stored == nil)
            #expect(gateway.mimiKey.count("POST /api/oauth/revoke") == 1)
        }
    }

    @Test func `a revocation that is not confirmed is 504, and can be forced`() async throws {
        try await withGateway { gateway in
            gateway.mimiKey.refuseNext("POST /api/oauth/revoke", status: 500, "database_error")
            let refused = await gateway.operate(.delete, "/admin/grant")
            #expect(refused.status == 504)
            #expect(refused.error == "revoke_unconfirmed")
            #expect(await gateway.operate(.get, "/admin/grant").state == "active")
            gateway.mimiKey.answerNext(
                "POST /api/oauth/revoke", .failure(.init(.connectFailed, bytesMayHaveLeft: false)))
            isGone(await gateway.operate(.delete, "/admin/grant?force=true"))
        }
    }

    @Test func `a local end tells MimiKey nothing and can be repeated`() async throws {
        try await withGateway { gateway in
            isGone(await gateway.operate(.delete, "/admin/grant?local=true"))
            isGone(await gateway.operate(.delete, "/admin/grant?local=true"))
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test(arguments: [
        "local=true&force=true", "local=1", "force=", "local=true&local=true", "other=true", "force=%zz",
    ])
    func `a query of another form is refused and nothing ends`(_ query: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.operate(.delete, "/admin/grant?\(query)")
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_request")
            #expect(await gateway.operate(.get, "/admin/grant").state == "active")
        }
    }

    @Test func `tokens are renewed on demand`() async throws {
        try await withGateway { gateway in
            let tokens = #"{"access_token":"canary-at","refresh_token":"canary-rt","expires_in":3600}"#
            gateway.mimiKey.answerNext(
                "POST /api/oauth/token", .success(InboundResponse(status: 200, body: Array(tokens.utf8))))
            let answer = await gateway.operate(.post, "/admin/grant/refresh")
            #expect(answer.status == 200)
            #expect(answer.state == "active")
            #expect(!answer.text.contains("canary"))
            let again = await gateway.operate(.post, "/admin/grant/refresh", body: #"{"try_once":false}"#)
            #expect(again.status == 429)
            #expect(again.error == "too_soon")
            #expect(again.fields.text("retry-after") == "30")
        }
    }

    @Test func `an unknown outcome is 409 without try_once, and goes out once more with it`() async throws {
        try await withGateway { gateway in
            for _ in 0..<2 {
                gateway.mimiKey.answerNext(
                    "POST /api/oauth/token", .failure(.init(.closed, bytesMayHaveLeft: true)))
            }
            #expect(await gateway.operate(.post, "/admin/grant/refresh").error == "refresh_unknown")
            let refused = await gateway.operate(.post, "/admin/grant/refresh")
            #expect(refused.status == 409)
            #expect(refused.string("detail")?.contains("countersign refresh --try-once") == true)
            #expect(gateway.mimiKey.count("POST /api/oauth/token") == 1)
            #expect(await gateway.operate(.get, "/admin/grant").state == "refresh_unknown")
            _ = await gateway.operate(.post, "/admin/grant/refresh", body: #"{"try_once":true}"#)
            #expect(gateway.mimiKey.count("POST /api/oauth/token") == 2)
        }
    }

    @Test(arguments: [
        ("[]", "invalid_json"), ("{", "invalid_json"), (#"{"try_once":1}"#, "invalid_member"),
        (#"{"once":true}"#, "unknown_member"),
    ])
    func `a body of another form is refused and nothing is sent`(_ body: String, _ code: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.operate(.post, "/admin/grant/refresh", body: body)
            #expect(answer.status == 400)
            #expect(answer.error == code)
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `another identity key is shown, and counts once the operator has accepted it`() async throws {
        let keys = [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 9, count: 32)]
        let prints = keys.map { Fingerprint(ofPublicKey: $0).sha256 }
        try await withGateway { gateway in
            for key in keys {
                let account = #"{"account_id":"ac_1","identity_public_key":"\#(Base64URL.encode(key))"}"#
                gateway.mimiKey.answerNext(
                    "GET /api/oauth/account", .success(InboundResponse(status: 200, body: Array(account.utf8))))
                _ = try? await gateway.responder.services.client.account()
            }
            let shown = await gateway.operate(.get, "/admin/grant")
            #expect(shown.string("identity_key_fingerprint") == prints[0])
            #expect(shown.string("offered_identity_key_fingerprint") == prints[1])
            for (body, status, code) in [
                ("{}", 400, "missing_member"), (#"{"accept":"12"}"#, 400, "invalid_member"),
                (#"{"accept":"\#(prints[0])"}"#, 409, "nothing_pending"), (#"{"accept":true}"#, 400, "invalid_member"),
            ] {
                let refused = await gateway.operate(.post, "/admin/grant/identity-key", body: body)
                #expect(refused.status == status && refused.error == code, "\(body)")
            }
            let accepted = await gateway.operate(
                .post, "/admin/grant/identity-key", body: #"{"accept":"\#(prints[1].uppercased())"}"#)
            #expect(accepted.status == 200)
            #expect(accepted.string("identity_key_fingerprint") == prints[1])
            #expect(accepted.json["offered_identity_key_fingerprint"]?.isNull == true)
        }
    }
}
