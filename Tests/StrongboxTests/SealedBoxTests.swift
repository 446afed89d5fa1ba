import Core
import Foundation
import Testing

@testable import Strongbox

/// `Vectors/sealedbox.json`: boxes that open, and boxes that must not.
struct SealedBoxTests {
    struct Box: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let info: String
        let aad: String
        let recipient_private: String
        let recipient_public: String
        let ephemeral_private: String?
        let plaintext: String?
        let box: String

        var testDescription: String { name }

        func recipient() throws -> SealKey {
            try SealKey.from(recipient_private.base64URL())
        }
    }

    struct Recipient: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let recipient_public: String
        var testDescription: String { name }
    }

    struct Published: Decodable {
        let skRm, pkRm, skEm, info, enc, aad, pt, ct: String
    }

    struct File: Decodable {
        let rfc9180_a2_1: Published
        let valid: [Box]
        let malformed_plaintext: [Box]
        let invalid: [Box]
        let refuse_to_seal: [Recipient]
    }

    static let file = Result { try VectorFile.load("sealedbox", as: File.self) }

    @Test func `Every published box is there`() throws {
        let file = try Self.file.get()
        #expect(file.valid.count == 13)
        #expect(file.malformed_plaintext.count == 16)
        #expect(file.invalid.count == 45)
        #expect(file.refuse_to_seal.count == 9)
    }

    @Test func `The box of RFC 9180 A.2.1 opens and is sealed again`() throws {
        let vector = try Self.file.get().rfc9180_a2_1
        let recipient = try SealKey.from(vector.skRm.hex())
        let ephemeral = try SealKey.from(vector.skEm.hex())
        let box = try vector.enc.hex() + vector.ct.hex()
        let plaintext = try vector.pt.hex()
        let sealed = try SealedBox.seal(
            plaintext.span.bytes, to: vector.pkRm.hex(), info: vector.info.hex(), aad: vector.aad.hex(),
            ephemeral: ephemeral)
        #expect(recipient.publicKey == (try vector.pkRm.hex()))
        #expect(sealed == box)
        let opened = try recipient.open(box, info: vector.info.hex(), aad: vector.aad.hex())
        #expect(opened.copied == (try vector.pt.hex()))
    }

    @Test(arguments: try file.get().valid + file.get().malformed_plaintext)
    func `A good box opens, and sealing its plaintext gives it again`(_ vector: Box) throws {
        let recipient = try vector.recipient()
        let plaintext = try #require(vector.plaintext).base64URL()
        let ephemeral = try SealKey.from(try #require(vector.ephemeral_private).base64URL())
        let box = try vector.box.base64URL()
        #expect(recipient.publicKey == (try vector.recipient_public.base64URL()))
        #expect(
            try recipient.open(box, info: Array(vector.info.utf8), aad: vector.aad.base64URL()).copied == plaintext)
        let again = try SealedBox.seal(
            plaintext.span.bytes, to: recipient.publicKey, info: Array(vector.info.utf8), aad: vector.aad.base64URL(),
            ephemeral: ephemeral)
        #expect(again == box)
    }

    @Test(arguments: try file.get().invalid)
    func `A bad box does not open`(_ vector: Box) throws {
        let recipient = try vector.recipient()
        // One that is no base64url has failed already.
        guard let box = Base64URL.decode(vector.box) else { return }
        #expect(throws: BoxNotOpened.self) {
            try recipient.open(box, info: Array(vector.info.utf8), aad: vector.aad.base64URL())
        }
    }

    @Test(arguments: try file.get().refuse_to_seal)
    func `Nothing is sealed to a bad key`(_ recipient: Recipient) throws {
        #expect(throws: SealedBox.BadRecipient.self) {
            try SealedBox.seal([1, 2, 3], to: recipient.recipient_public.base64URL(), info: [], aad: [])
        }
    }

    @Test func `SB-01 A box with any bit flipped, or cut anywhere, does not open`() throws {
        let recipient = SealKey()
        let box = try SealedBox.seal(Array("a secret".utf8), to: recipient.publicKey, info: [1], aad: [2])
        #expect(try recipient.open(box, info: [1], aad: [2]).copied == Array("a secret".utf8))
        for index in box.indices {
            for bit in 0..<8 {
                var changed = box
                changed[index] ^= 1 << bit
                #expect(throws: BoxNotOpened.self, "byte \(index), bit \(bit)") {
                    try recipient.open(changed, info: [1], aad: [2])
                }
            }
            #expect(throws: BoxNotOpened.self, "\(index) bytes") {
                try recipient.open(Array(box.prefix(index)), info: [1], aad: [2])
            }
        }
    }

    @Test func `The largest box opens, and a larger one is refused`() throws {
        let recipient = SealKey()
        let plaintext = [UInt8](repeating: 7, count: SecretBody.longest + 1)
        let largest = try SealedBox.seal(Array(plaintext.dropLast()), to: recipient.publicKey, info: [], aad: [])
        let larger = try SealedBox.seal(plaintext, to: recipient.publicKey, info: [], aad: [])
        #expect(try recipient.open(largest, info: [], aad: []).count == SecretBody.longest)
        #expect(throws: BoxNotOpened.self) { try recipient.open(larger, info: [], aad: []) }
    }

    @Test func `Two boxes of one plaintext differ`() throws {
        let recipient = SealKey()
        let first = try SealedBox.seal([1], to: recipient.publicKey, info: [], aad: [])
        let second = try SealedBox.seal([1], to: recipient.publicKey, info: [], aad: [])
        #expect(first != second)
    }

    @Test(arguments: [0, 31, 33])
    func `A private key of another length makes no seal key`(_ count: Int) {
        let key = SealKey(privateKey: Secret(random: count))
        #expect(key == nil)
    }
}

extension SecretBody {
    /// The bytes, in ordinary memory.
    var copied: [UInt8] { withBytes { $0.withUnsafeBytes(Array.init) } }
}
