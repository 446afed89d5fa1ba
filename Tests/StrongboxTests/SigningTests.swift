import Core
import Foundation
import Strongbox
import Testing

/// `Vectors/signing.json`: signatures of calls.
struct SigningTests {
    struct Call: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let path: String
        let timestamp: Int64
        let nonce: String
        let body: String
        let body_sha256: String?
        let canonical: String?
        let seed: String?
        let public_key: String
        let signature: String

        var testDescription: String { name }

        /// What the protocol says is signed.
        func signedBytes() throws -> [UInt8] {
            Array("\(method)\n\(path)\n\(timestamp)\n\(nonce)\n\(SHA256.hex(try body.base64URL()))".utf8)
        }
    }

    struct File: Decodable {
        let cases: [Call]
        let invalid: [Call]
    }

    static let file = Result { try VectorFile.load("signing", as: File.self) }

    @Test func `SG-11 Every published call is there`() throws {
        #expect(try Self.file.get().cases.count == 22)
        #expect(try Self.file.get().invalid.count == 14)
    }

    @Test(arguments: try file.get().cases)
    func `A call is signed as published and verifies`(_ call: Call) throws {
        let key = try ApprovalKey.from(try #require(call.seed).base64URL())
        let canonical = Array(try #require(call.canonical).utf8)
        #expect(SHA256.hex(try call.body.base64URL()) == call.body_sha256)
        #expect(try call.signedBytes() == canonical)
        #expect(key.publicKey == (try call.public_key.base64URL()))
        #expect(key.sign(canonical) == (try call.signature.base64URL()))
        #expect(
            Ed25519.verify(
                signature: try call.signature.base64URL(), of: canonical, publicKey: try call.public_key.base64URL()))
    }

    @Test(arguments: try file.get().invalid)
    func `A wrong signature of a call does not verify`(_ call: Call) throws {
        #expect(
            !Ed25519.verify(
                signature: try call.signature.base64URL(), of: try call.signedBytes(),
                publicKey: try call.public_key.base64URL()))
    }

    @Test(arguments: [0, 31, 33, 64])
    func `A seed of another length makes no key`(_ count: Int) {
        let key = ApprovalKey(seed: Secret(random: count))
        #expect(key == nil)
    }

    @Test func `SG-11 Small-order public keys and forged identities do not verify`() throws {
        // With the identity as key and R, and S = 0, the equation holds for every message.
        let identity = [1] + [UInt8](repeating: 0, count: 31)
        let zero = [UInt8](repeating: 0, count: 32)
        for key in [identity, zero] {
            #expect(!Ed25519.verify(signature: key + zero, of: Array("any".utf8), publicKey: key))
        }
    }

    @Test func `Two new keys differ`() {
        #expect(ApprovalKey().publicKey != ApprovalKey().publicKey)
    }
}

extension Result where Failure == any Error {
    init(_ body: () throws -> Success) { self.init(catching: body) }
}
