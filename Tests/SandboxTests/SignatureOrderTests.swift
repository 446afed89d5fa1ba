import Core
import Strongbox
import Testing

@testable import Sandbox

/// The checks of a signed call come in one order; each test breaks two things and sees the earlier one named.
struct SignatureOrderTests {
    private let vaults = "/api/oauth/vaults"

    @Test func `a well-signed call passes`() throws {
        let scene = try Scene.granted()
        #expect(scene.call(.get, vaults).summary == "200")
    }

    @Test(arguments: ["Basic abc", "Bearer", "Bearer unknown", "unknown", "Bearer a b"])
    func `a missing or unknown token is named before anything else`(value: String) throws {
        let scene = try Scene.granted()
        #expect(scene.send(.get, vaults).summary == "401 invalid_token")
        #expect(
            scene.send(.get, vaults, fields: [HTTPField("authorization", value)]).summary == "401 invalid_token")
    }

    @Test func `two authorization fields are no token`() throws {
        let scene = try Scene.granted()
        var call = scene.signed(.get, vaults)
        call.fields.append("authorization", "Bearer \(scene.access)")
        #expect(scene.send(call).summary == "401 invalid_token")
    }

    @Test func `the scheme's case does not matter`() throws {
        let scene = try Scene.granted()
        var call = scene.signed(.get, vaults)
        call.fields.set("authorization", "bearer \(scene.access)")
        #expect(scene.send(call).summary == "200")
    }

    @Test func `an expired token is named before a revoked grant`() throws {
        let scene = try Scene.granted()
        scene.pass(.seconds(3599))
        #expect(scene.call(.get, vaults).summary == "200")
        scene.world.revokeGrant(scene.grantID)
        scene.pass(.seconds(1))
        #expect(scene.call(.get, vaults).summary == "401 token_expired")
    }

    @Test func `a revoked grant is named before a disabled client`() throws {
        let scene = try Scene.granted()
        scene.world.revokeGrant(scene.grantID)
        scene.world.clients["pmc_sandbox"]?.standing = .disabledByPlatform
        #expect(scene.call(.get, vaults).summary == "401 grant_revoked")
    }

    @Test func `a disabled client is named before missing signature fields, with the status of who disabled it`() throws
    {
        let scene = try Scene.granted()
        let unsigned: HTTPFields = [HTTPField("authorization", "Bearer \(scene.access)")]
        scene.world.clients["pmc_sandbox"]?.standing = .disabledByPlatform
        #expect(scene.send(.get, vaults, fields: unsigned).summary == "401 client_disabled")
        scene.world.clients["pmc_sandbox"]?.standing = .disabledByDeveloper
        #expect(scene.send(.get, vaults, fields: unsigned).summary == "403 client_disabled")
    }

    @Test(arguments: ["x-pm-timestamp", "x-pm-nonce", "x-pm-signature"])
    func `a missing field is named before a malformed one`(missing: String) throws {
        let scene = try Scene.granted()
        var call = scene.signed(.get, vaults)
        for name in ["x-pm-timestamp", "x-pm-nonce", "x-pm-signature"] {
            let field = try #require(HTTPFieldName(Array(name.utf8)))
            if name == missing { call.fields.remove(field) } else { call.fields.set(field, "x") }
        }
        #expect(scene.send(call).summary == "401 signature_required")
    }

    @Test(arguments: ["", "1780000000.0", "+1780000000", "0x10", "1e9", "99999999999999999999", "-", "１７８"])
    func `a timestamp that is no integer is malformed`(timestamp: String) throws {
        let scene = try Scene.granted()
        var call = scene.signed(.get, vaults)
        call.fields.set("x-pm-timestamp", timestamp)
        #expect(scene.send(call).summary == "401 signature_invalid")
    }

    @Test(arguments: ["", "1234567", String(repeating: "n", count: 129), "with space", "ünïcödé-nonce"])
    func `a nonce that is not 8 to 128 characters is named before the window`(nonce: String) throws {
        let scene = try Scene.granted()
        #expect(
            scene.send(scene.signed(.get, vaults, offset: 5000, nonce: nonce)).summary == "401 signature_invalid")
    }

    @Test(arguments: ["12345678", String(repeating: "n", count: 128)])
    func `the shortest and the longest nonce pass`(nonce: String) throws {
        let scene = try Scene.granted()
        #expect(scene.send(scene.signed(.get, vaults, nonce: nonce)).summary == "200")
    }

    @Test func `a field that is there twice is malformed`() throws {
        let scene = try Scene.granted()
        var call = scene.signed(.get, vaults)
        call.fields.append("x-pm-nonce", "nonce-again")
        #expect(scene.send(call).summary == "401 signature_invalid")
    }

    @Test(arguments: [Int64(-300), 300])
    func `exactly 300 seconds off passes`(offset: Int64) throws {
        let scene = try Scene.granted()
        #expect(scene.send(scene.signed(.get, vaults, offset: offset)).summary == "200")
    }

    @Test(arguments: [Int64(-301), 301, -1_780_000_000, 1_000_000_000_000])
    func `301 seconds off is out of the window, whatever the signature`(offset: Int64) throws {
        let scene = try Scene.granted()
        var call = scene.signed(.get, vaults, offset: offset)
        #expect(scene.send(call).summary == "401 timestamp_out_of_window")
        call.fields.set("x-pm-signature", "AAAA")
        #expect(scene.send(call).summary == "401 timestamp_out_of_window")
    }

    @Test(arguments: [String(Int64.min), String(Int64.max)])
    func `the ends of 64 bits are out of the window`(timestamp: String) throws {
        let scene = try Scene.granted()
        var call = scene.signed(.get, vaults)
        call.fields.set("x-pm-timestamp", timestamp)
        #expect(scene.send(call).summary == "401 timestamp_out_of_window")
    }

    @Test func `only a good signature burns a nonce`() throws {
        let scene = try Scene.granted()
        let nonce = "nonce-of-mine"
        let forged = scene.signed(.get, vaults, nonce: nonce, with: ApprovalKey())
        #expect(scene.send(forged).summary == "401 signature_invalid")
        let good = scene.signed(.get, vaults, nonce: nonce)
        #expect(scene.send(good).summary == "200")
        #expect(scene.send(good).summary == "401 nonce_replayed")
    }

    @Test func `a bad signature over a used nonce is a bad signature`() throws {
        let scene = try Scene.granted()
        let nonce = "nonce-of-mine"
        #expect(scene.send(scene.signed(.get, vaults, nonce: nonce)).summary == "200")
        let forged = scene.signed(.get, vaults, nonce: nonce, with: ApprovalKey())
        #expect(scene.send(forged).summary == "401 signature_invalid")
    }

    @Test func `a nonce stays used when the clock has left its window`() throws {
        let scene = try Scene.granted()
        let nonce = "nonce-of-mine"
        #expect(scene.send(scene.signed(.get, vaults, nonce: nonce)).summary == "200")
        scene.pass(.seconds(900))
        #expect(scene.send(scene.signed(.get, vaults, nonce: nonce)).summary == "401 nonce_replayed")
    }

    @Test func `the body that came is the body that must be signed`() throws {
        let scene = try Scene.granted()
        var call = scene.signed(.post, "/api/oauth/requests", Array(#"{"op":"pick_item"}"#.utf8))
        call.body.append(0x20)
        #expect(scene.send(call).summary == "401 signature_invalid")
    }

    @Test func `the signature is checked before the body is read`() throws {
        let scene = try Scene.granted()
        var call = scene.signed(.post, "/api/oauth/requests", Array("no json".utf8))
        #expect(scene.send(call).summary == "400 invalid_input")
        call.fields.set("x-pm-signature", "AAAA")
        #expect(scene.send(call).summary == "401 signature_invalid")
    }

    @Test func `another grant's nonce is not this one's`() throws {
        let scene = try Scene.granted()
        let nonce = "nonce-of-mine"
        #expect(scene.send(scene.signed(.get, vaults, nonce: nonce)).summary == "200")
        try scene.authorize()
        #expect(scene.send(scene.signed(.get, vaults, nonce: nonce)).summary == "200")
    }

    @Test func `the last nonces are remembered and the memory is bounded`() {
        var memory = NonceMemory(generation: 3)
        let first = (0..<7).map { memory.burn("nonce \($0)") }
        #expect(first == [Bool](repeating: true, count: 7))
        let again = (3..<7).map { memory.burn("nonce \($0)") }
        #expect(again == [Bool](repeating: false, count: 4))
        let forgotten = memory.burn("nonce 0")
        #expect(forgotten)
    }
}
