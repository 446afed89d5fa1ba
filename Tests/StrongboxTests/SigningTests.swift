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

    /// Section 7.1 of RFC 8032: tests 1, 2 and 3.
    @Test(
        arguments: [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                    + "d25bf5f0595bbe24655141438e7a100b"
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                    + "387b2eaeb4302aeeb00d291612bb0c00"
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                    + "4a7c15e9716ed28dc027beceea1ec40a"
            ),
        ] as [(String, String, String, String)])
    func `SG-11 RFC 8032's signatures are made and verify, and not with a larger S`(
        _ seed: String, _ publicKey: String, _ message: String, _ signature: String
    ) throws {
        let key = try ApprovalKey.from(seed.hex())
        let bytes = try signature.hex()
        #expect(key.publicKey == (try publicKey.hex()))
        #expect(key.sign(try message.hex()) == bytes)
        #expect(Ed25519.verify(signature: bytes, of: try message.hex(), publicKey: key.publicKey))
        // S and S + L say the same in the group; only the smaller one is a signature.
        let order = try "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".hex()
        var malleable = bytes
        var carry = 0
        for index in 0..<32 {
            carry += Int(bytes[32 + index]) + Int(order[index])
            malleable[32 + index] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        #expect(carry == 0)
        #expect(!Ed25519.verify(signature: malleable, of: try message.hex(), publicKey: key.publicKey))
    }

    @Test func `Two new keys differ`() {
        #expect(ApprovalKey().publicKey != ApprovalKey().publicKey)
    }
}

extension Result where Failure == any Error {
    init(_ body: () throws -> Success) { self.init(catching: body) }
}
