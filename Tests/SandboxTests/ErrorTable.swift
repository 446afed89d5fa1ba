import Core
import Strongbox
import Testing

@testable import Sandbox

/// One row of MimiKey's errors page: how the sandbox is brought to answer so.
struct ErrorRow: Sendable, CustomTestStringConvertible {
    let method: HTTPMethod
    let path: String
    let situation: String
    /// Such as `401 invalid_token`, or `413 plain`.
    let answer: String
    let bring: @Sendable (Scene) throws -> Reply

    init(
        _ method: HTTPMethod, _ path: String, _ situation: String, _ answer: String,
        _ bring: @escaping @Sendable (Scene) throws -> Reply
    ) {
        self.method = method
        self.path = path
        self.situation = situation
        self.answer = answer
        self.bring = bring
    }

    var testDescription: String { "\(method) \(path): \(situation) → \(answer)" }
    var code: String? {
        let word = answer.split(separator: " ").last.map(String.init)
        return word == "plain" ? nil : word
    }
}

/// Every row of the page, in its order.
enum ErrorTable {
    static let all =
        signed + registration + consent + tokens + revocation + requests + person + operators + server + plain

    private static let vaults = "/api/oauth/vaults"
    private static let create = "/api/oauth/requests"
    private static let shown = "/api/oauth/requests/{id}"

    // MARK: Signatures and tokens

    private static func vaultRow(
        _ situation: String, _ answer: String, _ bring: @escaping @Sendable (Scene) throws -> Reply
    ) -> ErrorRow {
        ErrorRow(.get, vaults, situation, answer, bring)
    }

    private static let signed: [ErrorRow] = [
        vaultRow("no Authorization", "401 invalid_token") { $0.send(.get, vaults) },
        vaultRow("an unknown token", "401 invalid_token") { $0.send($0.signed(.get, vaults, token: "pma_no")) },
        vaultRow("after its lifetime", "401 token_expired") { scene in
            scene.pass(.seconds(3600))
            return scene.call(.get, vaults)
        },
        vaultRow("a revoked grant", "401 grant_revoked") { scene in
            _ = scene.control(.post, "/_sandbox/grants/revoke")
            return scene.call(.get, vaults)
        },
        vaultRow("the platform disabled the client", "401 client_disabled") { scene in
            _ = scene.asOperator("disable", "pmc_sandbox", ["reason": "abuse"])
            return scene.call(.get, vaults)
        },
        vaultRow("the developer disabled the client", "403 client_disabled") { scene in
            _ = scene.asUser(.delete, "/api/oauth/clients/pmc_sandbox")
            return scene.call(.get, vaults)
        },
        vaultRow("no x-pm fields", "401 signature_required") { scene in
            scene.send(.get, vaults, fields: [HTTPField("authorization", "Bearer \(scene.access)")])
        },
        vaultRow("another key's signature", "401 signature_invalid") { scene in
            scene.send(scene.signed(.get, vaults, with: ApprovalKey()))
        },
        vaultRow("301 seconds off", "401 timestamp_out_of_window") { $0.send($0.signed(.get, vaults, offset: 301)) },
        vaultRow("a nonce again", "401 nonce_replayed") { scene in
            let call = scene.signed(.get, vaults)
            _ = scene.send(call)
            return scene.send(call)
        },
    ]

    // MARK: Client registration

    private static func register(
        _ situation: String, _ answer: String, _ changes: [String: JSON]
    ) -> ErrorRow {
        ErrorRow(.post, "/api/oauth/clients", situation, answer) { scene in
            var members: [String: JSON] = [
                "name": "An app", "client_type": "public", "redirect_uris": ["app:/callback"],
            ]
            for (name, value) in changes { members[name] = value }
            return scene.asUser(.post, "/api/oauth/clients", .object(members.map { .init($0.key, $0.value) }))
        }
    }

    private static let registration: [ErrorRow] = [
        register("an empty name", "400 invalid_input", ["name": ""]),
        register("101 characters", "400 invalid_input", ["name": .string(String(repeating: "n", count: 101))]),
        register("another type", "400 invalid_client_type", ["client_type": "secret"]),
        register("no redirect URL", "400 invalid_redirect_uris", ["redirect_uris": []]),
        register(
            "eleven", "400 invalid_redirect_uris", ["redirect_uris": .array((1...11).map { .string("app:/\($0)") })]),
        register("plain http", "400 invalid_redirect_uris", ["redirect_uris": ["http://app.example/"]]),
        register(
            "a scheme of a confidential client", "400 invalid_redirect_uris", ["client_type": "confidential"]),
        register("31 bytes", "400 invalid_public_key", ["seal_public_key": .string(Wire.text([UInt8](0..<31)))]),
        register("platforms that are no list", "400 invalid_platforms", ["platforms": "ios"]),
        register(
            "eleven platforms", "400 invalid_platforms", ["platforms": .array((1...11).map { .string("p\($0)") })]),
        register("a platform in capitals", "400 invalid_platforms", ["platforms": ["iOS"]]),
        register("a brand that is no object", "400 invalid_brand", ["brand": "blue"]),
        register("a colour by name", "400 invalid_brand", ["brand": ["color": "blue"]]),
        register("an icon over http", "400 invalid_brand", ["brand": ["icon_url": "http://a.example/i.png"]]),
        register("the retired mode", "400 mode_retired", ["service_public_key": "AAAA", "name": ""]),
        ErrorRow(.delete, "/api/oauth/clients/{id}", "unknown", "404 client_not_found") { scene in
            scene.asUser(.delete, "/api/oauth/clients/pmc_no")
        },
        ErrorRow(.delete, "/api/oauth/clients/{id}", "somebody else's", "404 client_not_found") { scene in
            scene.asUser(.delete, "/api/oauth/clients/pmc_sandbox", account: Session.otherAccount)
        },
        ErrorRow(.delete, "/api/oauth/clients/{id}", "disabled already", "404 client_not_found") { scene in
            _ = scene.asUser(.delete, "/api/oauth/clients/pmc_sandbox")
            return scene.asUser(.delete, "/api/oauth/clients/pmc_sandbox")
        },
    ]

    // MARK: Consent

    private static func consent(_ situation: String, _ answer: String, _ changes: [String: JSON?]) -> ErrorRow {
        ErrorRow(.post, "/api/oauth/authorize", situation, answer) { $0.consenting(changes) }
    }

    private static func info(
        _ situation: String, _ answer: String, _ link: @escaping @Sendable (Scene) throws -> String
    ) -> ErrorRow {
        ErrorRow(.get, "/api/oauth/authorize/info", situation, answer) { scene in
            let query = try link(scene).dropFirst("mimikey://authorize?".count)
            return scene.asUser(.get, "/api/oauth/authorize/info", query: String(query))
        }
    }

    private static let short = [UInt8](0..<31)

    private static let consent: [ErrorRow] = [
        info("an unknown client", "404 client_not_found") { $0.link(clientID: "pmc_no") },
        consent("an unknown client", "404 client_not_found", ["client_id": "pmc_no"]),
        info("a disabled client", "403 client_disabled") { scene in
            _ = scene.control(.post, "/_sandbox/clients/pmc_sandbox/disable")
            return scene.link()
        },
        ErrorRow(.post, "/api/oauth/authorize", "a disabled client", "403 client_disabled") { scene in
            _ = scene.control(.post, "/_sandbox/clients/pmc_sandbox/disable", ["by": "platform"])
            return scene.consenting([:])
        },
        info("another redirect URL", "400 redirect_uri_mismatch") { $0.link(redirectURI: "http://127.0.0.1:1/") },
        consent("another redirect URL", "400 redirect_uri_mismatch", ["redirect_uri": "http://127.0.0.1:1/"]),
        info("a short approval key", "400 invalid_approval_key") { $0.link(approval: short) },
        consent("a short approval key", "400 invalid_approval_key", ["approval_key": .string(Wire.text(short))]),
        info("a short seal key", "400 invalid_public_key") { $0.link(seal: short) },
        consent("a short seal key", "400 invalid_public_key", ["seal_key": .string(Wire.text(short))]),
        consent("no seal key", "400 seal_key_required", ["seal_key": .some(nil)]),
        consent("no challenge", "400 code_challenge_required", ["code_challenge": .some(nil)]),
        info("a plain challenge", "400 invalid_code_challenge") { $0.link(method: "plain") },
        consent("a plain challenge", "400 invalid_code_challenge", ["code_challenge_method": "plain"]),
        consent(
            "42 characters", "400 invalid_code_challenge",
            ["code_challenge": .string(String(repeating: "c", count: 42))]),
        consent("another policy", "400 invalid_policy", ["policy": "always"]),
        consent("no vault", "400 invalid_selections", ["selections": []]),
        consent(
            "33 vaults", "400 invalid_selections",
            ["selections": .array((1...33).map { ["vault_id": .string("v_\($0)"), "mode": 1] })]),
        consent(
            "a vault twice", "400 invalid_selections",
            ["selections": [["vault_id": "v_work", "mode": 1], ["vault_id": "v_work", "mode": 1]]]),
        consent("mode 3", "400 invalid_selections", ["selections": [["vault_id": "v_work", "mode": 3]]]),
        consent("mode 2", "400 mode_retired", ["selections": [["vault_id": "v_work", "mode": 2]]]),
        consent(
            "somebody else's vault", "403 vault_not_owned", ["selections": [["vault_id": "v_foreign", "mode": 1]]]),
    ]

    // MARK: Tokens

    private static func token(
        _ situation: String, _ answer: String, _ bring: @escaping @Sendable (Scene) throws -> Reply
    ) -> ErrorRow {
        ErrorRow(.post, "/api/oauth/token", situation, answer, bring)
    }

    private static let tokens: [ErrorRow] = [
        token("another grant type", "400 unsupported_grant_type") { $0.exchange("c", changing: ["grant_type": "x"]) },
        token("a secret of a public client", "400 invalid_client") {
            $0.exchange("c", changing: ["client_secret": "s"])
        },
        token("an unknown client", "401 invalid_client_secret") { $0.exchange("c", changing: ["client_id": "pmc_no"]) },
        token("a wrong secret", "401 invalid_client_secret") { scene in
            _ = scene.control(.post, "/_sandbox/clients", ["client_id": "pmc_sandbox", "client_secret": "right"])
            return scene.exchange("c", changing: ["client_secret": "wrong"])
        },
        token("a disabled client", "403 client_disabled") { scene in
            _ = scene.control(.post, "/_sandbox/clients/pmc_sandbox/disable", ["by": "platform"])
            return scene.rotate()
        },
        token("an unknown code", "400 invalid_code") { $0.exchange("pmk_no") },
        token("a code after 10 minutes", "400 code_expired") { scene in
            let code = try scene.code()
            scene.pass(.milliseconds(600_001))
            return scene.exchange(code)
        },
        token("another client's code", "400 code_client_mismatch") { scene in
            _ = scene.control(.post, "/_sandbox/clients", ["client_id": "pmc_other"])
            return scene.exchange(try scene.code(), changing: ["client_id": "pmc_other"])
        },
        token("another redirect URL", "400 redirect_uri_mismatch") { scene in
            scene.exchange(try scene.code(), changing: ["redirect_uri": "http://127.0.0.1:1/"])
        },
        token("a wrong verifier", "400 invalid_grant") { scene in
            scene.exchange(try scene.code(), changing: ["code_verifier": .string(String(repeating: "v", count: 43))])
        },
        token("an unknown refresh token", "401 invalid_refresh_token") { $0.rotate("pmr_no") },
        token("unused for more than 30 days", "401 refresh_expired") { scene in
            scene.pass(.seconds(30 * 86_400 + 1))
            return scene.rotate()
        },
        token("a rotated refresh token", "401 refresh_token_reused") { scene in
            _ = scene.rotate()
            return scene.rotate()
        },
        token("a revoked grant", "401 grant_revoked") { scene in
            _ = scene.control(.post, "/_sandbox/grants/revoke")
            return scene.rotate()
        },
    ]

    // MARK: Revocation

    private static func revoke(
        _ situation: String, _ answer: String, _ bring: @escaping @Sendable (Scene) throws -> Reply
    ) -> ErrorRow {
        ErrorRow(.post, "/api/oauth/revoke", situation, answer, bring)
    }

    private static func revocation(_ scene: Scene, _ more: [JSON.Member] = [], clientID: String = "pmc_sandbox") -> JSON
    {
        .object([.init("client_id", .string(clientID)), .init("token", .string(scene.refresh))] + more)
    }

    private static let revocation: [ErrorRow] = [
        revoke("no token", "400 invalid_input") { $0.call(.post, "/api/oauth/revoke", ["client_id": "pmc_sandbox"]) },
        revoke("a secret of a public client", "400 invalid_client") { scene in
            scene.call(.post, "/api/oauth/revoke", revocation(scene, [.init("client_secret", "s")]))
        },
        revoke("an unknown client", "401 invalid_client_secret") { scene in
            scene.call(.post, "/api/oauth/revoke", revocation(scene, clientID: "pmc_no"))
        },
        revoke("unsigned", "401 signature_required") { scene in
            scene.send(.post, "/api/oauth/revoke", body: revocation(scene).encoded())
        },
        revoke("badly signed", "401 signature_invalid") { scene in
            scene.send(scene.signed(.post, "/api/oauth/revoke", revocation(scene).encoded(), with: ApprovalKey()))
        },
    ]

    // MARK: Requests

    private static func create(_ situation: String, _ answer: String, _ body: JSON) -> ErrorRow {
        ErrorRow(.post, create, situation, answer) { $0.call(.post, create, body) }
    }

    private static func update(_ more: [JSON.Member]) -> JSON {
        .object(
            [.init("op", "update_item"), .init("item_id", "it_bank"), .init("vault_id", "v_personal")] + more)
    }

    private static func patch(
        _ situation: String, _ answer: String, _ body: JSON,
        after change: @escaping @Sendable (Scene) -> Void = { _ in }
    ) -> ErrorRow {
        ErrorRow(.put, "/api/oauth/requests/{id}/patch", situation, answer) { scene in
            let id = try scene.id(scene.call(.post, create, update([.init("fields", ["password"])])))
            change(scene)
            return scene.call(.put, "/api/oauth/requests/\(id)/patch", body)
        }
    }

    private static let box: JSON = ["patch_enc": .string(String(repeating: "A", count: 64))]

    private static let requests: [ErrorRow] = [
        ErrorRow(.post, create, "no JSON", "400 invalid_input") { $0.send($0.signed(.post, create, Array("{".utf8))) },
        create("a hint that is no object", "400 invalid_input", ["op": "pick_item", "hint": "bank"]),
        create(
            "an update with its patch", "400 invalid_input",
            update([.init("fields", ["password"]), .init("patch_enc", "AAAA")])),
        create("another operation", "400 invalid_op", ["op": "steal_item"]),
        create("a read of nothing", "400 item_id_required", ["op": "get_item"]),
        create("an update of nothing", "400 item_id_required", ["op": "update_item"]),
        create("a seventh kind", "400 unsupported_kind", ["op": "create_item", "kind": "passkey"]),
        create("an update of no fields", "400 fields_required", update([])),
        create("an empty list of fields", "400 invalid_fields", update([.init("fields", [])])),
        patch("none", "400 invalid_patch", [:]),
        patch("too large", "400 invalid_patch", ["patch_enc": .string(String(repeating: "A", count: 65_540))]),
        patch("no box", "400 invalid_patch", ["patch_enc": "AAAA"]),
        create("a vault of no grant", "403 vault_not_granted", ["op": "pick_item", "vault_id": "v_private"]),
        ErrorRow(.post, create, "no vault at all", "403 vault_not_granted") { scene in
            for vault in SampleVault.samples {
                _ = scene.control(.post, "/_sandbox/vaults", ["vault_id": .string(vault.id), "granted": false])
            }
            return scene.pick()
        },
        ErrorRow(.post, create, "a vault in another mode", "403 mode_not_granted") { scene in
            _ = scene.control(.post, "/_sandbox/vaults", ["vault_id": "v_work", "mode": 2])
            return scene.pick([.init("vault_id", "v_work")])
        },
        ErrorRow(.get, shown, "unknown", "404 request_not_found") { $0.look("rq_no") },
        ErrorRow(.get, shown, "another grant's", "404 request_not_found") { scene in
            let id = try scene.picked()
            try scene.authorize()
            return scene.look(id)
        },
        ErrorRow(.get, shown, "deleted", "404 request_not_found") { scene in
            let id = try scene.picked()
            _ = scene.control(.post, "/_sandbox/requests/\(id)/delete")
            return scene.look(id)
        },
        patch("after 60 seconds", "409 request_not_draft", box) { $0.pass(.seconds(60)) },
        ErrorRow(.put, "/api/oauth/requests/{id}/patch", "no update", "409 request_not_draft") { scene in
            scene.call(.put, "/api/oauth/requests/\(try scene.picked())/patch", box)
        },
        ErrorRow(.post, "/api/oauth/requests/{id}/cancel", "finished", "409 request_not_pending") { scene in
            let id = try scene.picked()
            _ = scene.control(.post, "/_sandbox/requests/\(id)/deny")
            return scene.call(.post, "/api/oauth/requests/\(id)/cancel")
        },
        ErrorRow(.post, create, "the 101st unfinished", "429 too_many_requests") { scene in
            for _ in 1...100 { _ = scene.pick() }
            return scene.pick()
        },
    ]

    // MARK: Apps and operators

    private static let person: [ErrorRow] = [
        ErrorRow(.post, "/api/oauth/clients", "no session", "401 locked") { scene in
            scene.asUser(.post, "/api/oauth/clients", Scene.registration, session: "")
        },
        ErrorRow(.get, "/api/oauth/authorize/info", "an expired session", "401 locked") { scene in
            let session = scene.session(["lifetime_seconds": 10])
            scene.pass(.seconds(10))
            return scene.asUser(.get, "/api/oauth/authorize/info", session: session)
        },
        ErrorRow(.post, "/api/oauth/clients", "a device that was re-keyed", "401 device_revoked_or_rotated") { scene in
            let session = scene.session()
            _ = scene.control(.post, "/_sandbox/sessions/rotate")
            return scene.asUser(.post, "/api/oauth/clients", Scene.registration, session: session)
        },
        ErrorRow(.post, "/api/oauth/clients", "a foreign page", "403 untrusted_origin") { scene in
            scene.asUser(
                .post, "/api/oauth/clients", Scene.registration, origin: "https://elsewhere.example")
        },
        ErrorRow(.delete, "/_sandbox/app/grants/{id}", "unknown", "404 grant_not_found") { scene in
            scene.asUser(.delete, "/_sandbox/app/grants/gr_no")
        },
        ErrorRow(.delete, "/_sandbox/app/grants/{id}", "somebody else's", "404 grant_not_found") { scene in
            scene.asUser(.delete, "/_sandbox/app/grants/\(scene.grantID)", account: Session.otherAccount)
        },
        ErrorRow(.post, "/_sandbox/app/requests/{id}/approve", "a pick", "409 request_not_pending") { scene in
            scene.asUser(.post, "/_sandbox/app/requests/\(try scene.picked())/approve")
        },
        ErrorRow(.post, "/_sandbox/app/requests/{id}/approve", "finished", "409 request_not_pending") { scene in
            let id = try scene.read()
            _ = scene.control(.post, "/_sandbox/requests/\(id)/deny")
            return scene.asUser(.post, "/_sandbox/app/requests/\(id)/approve")
        },
        ErrorRow(.put, "/_sandbox/app/requests/{id}/result", "not approved yet", "409 request_not_approved") { scene in
            scene.asUser(.put, "/_sandbox/app/requests/\(try scene.read())/result", ["result_enc": "AAAA"])
        },
    ]

    private static let operators: [ErrorRow] = [
        ErrorRow(.post, "/_sandbox/operator/clients/{id}/disable", "no session", "401 admin_locked") { scene in
            scene.control(.post, "/_sandbox/operator/clients/pmc_sandbox/disable", ["reason": "abuse"])
        },
        ErrorRow(.post, "/_sandbox/operator/clients/{id}/disable", "no reason", "400 reason_required") { scene in
            scene.asOperator("disable", "pmc_sandbox", [:])
        },
        ErrorRow(.post, "/_sandbox/operator/clients/{id}/enable", "501 characters", "400 reason_required") { scene in
            scene.asOperator("enable", "pmc_sandbox", ["reason": .string(String(repeating: "r", count: 501))])
        },
        ErrorRow(.post, "/_sandbox/operator/clients/{id}/disable", "unknown", "404 client_not_found") { scene in
            scene.asOperator("disable", "pmc_no", ["reason": "abuse"])
        },
    ]

    // MARK: Server errors, and what is no JSON

    private static let server: [ErrorRow] = [
        ErrorRow(.post, create, "storage is unavailable", "500 database_error") { scene in
            _ = scene.control(
                .post, "/_sandbox/faults", ["name": "status_next", "status": 500, "error": "database_error"])
            return scene.world.receive(scene.signed(.post, create), at: scene.now).reply
        }
    ]

    private static let plain: [ErrorRow] = ["clients", "authorize", "token"].flatMap { name -> [ErrorRow] in
        let path = "/api/oauth/\(name)"
        let json: HTTPFields = [HTTPField("content-type", "application/json")]
        return [
            ErrorRow(.post, path, "400,001 bytes", "413 plain") {
                $0.send(.post, path, body: [UInt8](repeating: 0x20, count: 400_001), fields: json)
            },
            ErrorRow(.post, path, "malformed JSON", "400 plain") { $0.send(.post, path, body: [0x7B], fields: json) },
            ErrorRow(.post, path, "no content type", "415 plain") { $0.send(.post, path, body: [0x7B, 0x7D]) },
            ErrorRow(.post, path, "missing members", "422 plain") {
                $0.send(.post, path, body: [0x7B, 0x7D], fields: json)
            },
        ]
    }
}
