import Foundation
import Strongbox
import Testing

/// `Vectors/fingerprint.json`.
struct FingerprintTests {
    struct Key: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let public_key: String
        let sha256: String
        let display: String
        var testDescription: String { name }
    }

    struct File: Decodable { let cases: [Key] }

    static let file = Result { try VectorFile.load("fingerprint", as: File.self) }

    @Test(arguments: try file.get().cases)
    func `A key has the published fingerprint`(_ key: Key) throws {
        let fingerprint = Fingerprint(ofPublicKey: try key.public_key.base64URL())
        #expect(fingerprint.sha256 == key.sha256)
        #expect(fingerprint.display == key.display)
    }

    @Test func `An approval key knows its own`() {
        let key = ApprovalKey()
        #expect(key.fingerprint == Fingerprint(ofPublicKey: key.publicKey))
    }
}
