import Core
import Strongbox
import Testing

@testable import Sandbox

struct ErrorTableTests {
    @Test(arguments: ErrorTable.all)
    func `every error of the documents can be met`(row: ErrorRow) throws {
        let scene = try Scene.granted()
        #expect(try row.bring(scene).summary == row.answer)
    }

    /// Of MimiKey's errors page, but for `service_key_missing` and `wrap_missing`, which it calls retired.
    private static let documented: Set = [
        "invalid_token", "token_expired", "grant_revoked", "client_disabled", "signature_required", "signature_invalid",
        "timestamp_out_of_window", "nonce_replayed", "invalid_input", "invalid_client_type", "invalid_redirect_uris",
        "invalid_public_key", "invalid_platforms", "invalid_brand", "mode_retired", "client_not_found",
        "redirect_uri_mismatch", "invalid_approval_key", "seal_key_required", "code_challenge_required",
        "invalid_code_challenge", "invalid_policy", "invalid_selections", "vault_not_owned", "unsupported_grant_type",
        "invalid_client", "invalid_client_secret", "invalid_code", "code_expired", "code_client_mismatch",
        "invalid_grant", "invalid_refresh_token", "refresh_expired", "refresh_token_reused", "invalid_op",
        "item_id_required", "unsupported_kind", "fields_required", "invalid_fields", "invalid_patch",
        "vault_not_granted", "mode_not_granted", "request_not_found", "request_not_draft", "request_not_pending",
        "too_many_requests", "locked", "device_revoked_or_rotated", "untrusted_origin", "grant_not_found",
        "request_not_approved", "admin_locked", "reason_required", "database_error",
    ]

    @Test func `the table has every code of the documents, and no other`() {
        #expect(Set(ErrorTable.all.compactMap(\.code)) == Self.documented)
    }

    @Test(arguments: [
        ("deny", "access_denied"), ("none consent=deny", "access_denied"), ("not_signed_in", "not_signed_in"),
    ])
    func `the person refuses the consent, or is not there`(script: String, error: String) throws {
        let scene = Scene(try #require(PersonScript(script)))
        #expect(try scene.consent() == ["": scene.redirectURI, "error": error, "state": "st-1"])
    }

    @Test func `a disabled client, an unknown one and another redirect URL are invalid requests to the client`() throws
    {
        let scene = Scene()
        let elsewhere = try scene.open(scene.link(redirectURI: "http://127.0.0.1:1/"))
        #expect(elsewhere["error"] == "invalid_request")
        #expect(try scene.open(scene.link(clientID: "pmc_no"))["error"] == "invalid_request")
        _ = scene.control(.post, "/_sandbox/clients/pmc_sandbox/disable")
        #expect(try scene.consent()["error"] == "invalid_request")
    }

    @Test func `a card comes back with not signed in, and stays pending`() throws {
        let scene = try Scene.granted(.notSignedIn)
        let id = try scene.picked()
        let link = "mimikey://request?request_id=\(id)&state=s"
        #expect(try scene.open(link)["error"] == "not_signed_in")
        #expect(scene.look(id).text("status") == "pending")
        scene.world.setPerson(.manual, at: scene.now)
        #expect(scene.control(.post, "/_sandbox/requests/\(id)/approve").summary == "200")
        #expect(try scene.open(link)["status"] == "completed")
    }
}

struct RegistrationTests {
    @Test func `a public client is registered, and authorizes`() throws {
        let scene = Scene()
        let made = scene.asUser(.post, "/api/oauth/clients", Scene.registration)
        #expect(made.summary == "200")
        #expect(made.text("client_type") == "public")
        #expect(made["client_secret"] == nil)
        let id = try #require(made.text("client_id"))
        #expect(id.hasPrefix("pmc_"))
        let link = scene.link(clientID: id, redirectURI: "https://app.example/callback")
        #expect(try scene.open(link)["code"] != nil)
    }

    @Test func `a confidential client has a secret, and needs neither challenge nor seal key of the moment`() throws {
        let scene = Scene()
        let made = scene.asUser(
            .post, "/api/oauth/clients",
            [
                "name": "A server", "client_type": "confidential", "redirect_uris": ["https://app.example/callback"],
                "seal_public_key": .string(Wire.text(scene.sealKey.publicKey)), "platforms": ["linux"],
                "brand": [
                    "color": "#00aaFF", "icon_url": "https://app.example/i.png", "homepage": "https://app.example/",
                ],
            ])
        let id = try #require(made.text("client_id"))
        let secret = try #require(made.text("client_secret"))
        let consent = scene.consenting([
            "client_id": .string(id), "redirect_uri": "https://app.example/callback", "seal_key": .some(nil),
            "code_challenge": .some(nil), "code_challenge_method": .some(nil),
        ])
        let code = try #require(consent.text("code"))
        let changes: [String: JSON?] = [
            "client_id": .string(id), "redirect_uri": "https://app.example/callback", "code_verifier": .some(nil),
            "client_secret": .string(secret),
        ]
        scene.keep(scene.exchange(code, changing: changes))
        scene.world.setPerson(.approve(after: .zero), at: scene.now)
        #expect(try scene.item(of: scene.pick())["id"]?.string == "it_bank")
    }

    @Test func `a consent gives the vaults that were selected, with the policy that was chosen`() throws {
        let scene = Scene()
        let consent = scene.consenting(["selections": [["vault_id": "v_private", "mode": 1]], "policy": "trust"])
        let tokens = scene.exchange(try #require(consent.text("code")))
        #expect(
            tokens["vaults"] == [["id": "v_private", "name": "Private", "mode": 1, "policy": "trust"]])
    }

    @Test func `the info shows who asks, and the own vaults`() {
        let scene = Scene()
        let query = String(scene.link().dropFirst("mimikey://authorize?".count))
        let info = scene.asUser(.get, "/api/oauth/authorize/info", query: query)
        #expect(info.text("client_id") == "pmc_sandbox")
        guard case .array(let vaults) = info["vaults"] else {
            Issue.record("no vaults")
            return
        }
        #expect(vaults.count == 4)
    }

    @Test(arguments: [
        ("https://app.example/cb", true), ("https://", false), ("https://u@app.example/", false),
        ("https://app.example/#f", false), ("http://127.0.0.1:7447/callback", true), ("http://[::1]:1/", true),
        ("http://localhost/", false), ("http://127.0.0.1.elsewhere.example/", false), ("com.example.app:/cb", true),
        ("javascript:alert(1)", false), ("mimikey://x", false), ("app", false), ("App:/cb", false), ("", false),
        ("https://app.example/a b", false),
    ])
    func `redirect URLs have their rules`(uri: String, isPermitted: Bool) {
        #expect(RedirectRule.permits(uri, to: .public) == isPermitted)
        let isWeb = uri.hasPrefix("http")
        #expect(RedirectRule.permits(uri, to: .confidential(secret: "s")) == (isPermitted && isWeb))
    }

    @Test func `an operator disables and enables`() throws {
        let scene = try Scene.granted()
        #expect(scene.asOperator("disable", "pmc_sandbox", ["reason": "abuse"]).summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "401 client_disabled")
        #expect(scene.asOperator("enable", "pmc_sandbox", ["reason": "a mistake"]).summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "200")
    }

    @Test func `the app approves a read, then its device brings the result`() throws {
        let scene = try Scene.granted()
        let id = try scene.read()
        #expect(scene.asUser(.post, "/_sandbox/app/requests/\(id)/approve").text("state") == "approved")
        #expect(scene.look(id).text("status") == "approved")
        let upload = scene.asUser(.put, "/_sandbox/app/requests/\(id)/result", ["result_enc": "not a box"])
        #expect(upload.text("state") == "completed")
        #expect(scene.look(id).text("result_enc") == "not a box")
    }

    @Test func `the person revokes a grant of theirs`() throws {
        let scene = try Scene.granted()
        #expect(scene.asUser(.delete, "/_sandbox/app/grants/\(scene.grantID)").summary == "200")
        #expect(scene.call(.get, "/api/oauth/vaults").summary == "401 grant_revoked")
    }
}
