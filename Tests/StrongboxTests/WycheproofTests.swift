import Foundation
import Testing

@testable import Strongbox

/// Project Wycheproof's files for the primitives; what is invalid there must be refused here.
struct WycheproofTests {
    enum Verdict: String, Decodable { case valid, invalid, acceptable }

    struct File<Group: Decodable>: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]
    }

    struct SignatureGroup: Decodable {
        struct Key: Decodable { let pk: String }
        struct Vector: Decodable {
            let tcId: Int
            let msg, sig: String
            let result: Verdict
        }
        let publicKey: Key
        let tests: [Vector]
    }

    struct ExchangeGroup: Decodable {
        struct Vector: Decodable {
            let tcId: Int
            let flags: [String]
            let `public`, `private`, shared: String
            let result: Verdict
        }
        let tests: [Vector]
    }

    struct CipherGroup: Decodable {
        struct Vector: Decodable {
            let tcId: Int
            let key, iv, aad, msg, ct, tag: String
            let result: Verdict
        }
        let tests: [Vector]
    }

    @Test func `SB-06 SG-11 Ed25519 verifies as Wycheproof labels it`() throws {
        let file = try VectorFile.load("wycheproof/ed25519_test", as: File<SignatureGroup>.self)
        var count = 0
        for group in file.testGroups {
            for vector in group.tests {
                let verifies = Ed25519.verify(
                    signature: try vector.sig.hex(), of: try vector.msg.hex(), publicKey: try group.publicKey.pk.hex())
                #expect(verifies == (vector.result == .valid), "test \(vector.tcId)")
                count += 1
            }
        }
        #expect(count == file.numberOfTests && count == 151)
    }

    @Test func `SB-06 X25519 agrees as Wycheproof labels it, and refuses low-order points`() throws {
        let file = try VectorFile.load("wycheproof/x25519_test", as: File<ExchangeGroup>.self)
        var count = 0
        var refused = 0
        for vector in file.testGroups.flatMap(\.tests) {
            let shared = X25519.sharedSecret(
                privateKey: Secret(copying: try vector.private.hex()), publicKey: try vector.public.hex())
            let bytes = shared?.exposed()
            if vector.flags.contains("ZeroSharedSecret") {
                #expect(bytes == nil, "test \(vector.tcId)")
                refused += 1
            } else {
                #expect(bytes == (try vector.shared.hex()), "test \(vector.tcId)")
                #expect(vector.result != .invalid)
            }
            count += 1
        }
        #expect(count == file.numberOfTests && count == 518)
        #expect(refused > 20)
    }

    @Test func `SB-06 ChaCha20-Poly1305 seals and opens as Wycheproof labels it`() throws {
        let file = try VectorFile.load("wycheproof/chacha20_poly1305_test", as: File<CipherGroup>.self)
        var count = 0
        for vector in file.testGroups.flatMap(\.tests) {
            let key = Secret(copying: try vector.key.hex())
            let nonce = Secret(copying: try vector.iv.hex())
            let sealed = try vector.ct.hex() + vector.tag.hex()
            let opened = ChaCha20Poly1305.open(sealed, key: key, nonce: nonce, aad: try vector.aad.hex())
            let bytes = opened?.exposed()
            switch vector.result {
            case .valid, .acceptable:
                #expect(bytes == (try vector.msg.hex()), "test \(vector.tcId)")
                let message = try vector.msg.hex()
                let again = ChaCha20Poly1305.seal(
                    message.span.bytes, key: key, nonce: nonce, aad: try vector.aad.hex())
                #expect(again == sealed, "test \(vector.tcId)")
            case .invalid:
                #expect(bytes == nil, "test \(vector.tcId)")
            }
            count += 1
        }
        #expect(count == file.numberOfTests && count == 325)
    }
}
