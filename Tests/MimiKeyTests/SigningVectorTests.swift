import Core
import Foundation
import Strongbox
import Testing

@testable import MimiKey

/// The published vectors of signed calls.
struct SigningVectorTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let target: String
        let body: String
        let timestamp: Int64
        let nonce: String
        let seed: String?
        let public_key: String
        let canonical: String?
        let signature: String

        var testDescription: String { name }

        var built: String {
            get throws {
                Wire.canonicalString(
                    method: HTTPMethod(name: method), target: target, body: try #require(Base64URL.decode(body)),
                    timestamp: timestamp, nonce: nonce)
            }
        }
    }

    struct File: Decodable {
        let cases: [Case]
        let invalid: [Case]
    }

    static let file = try! vectors("signing", as: File.self)

    @Test(arguments: file.cases)
    func `SG-02 SG-03 the canonical string and the signature are those of the vectors`(_ vector: Case) throws {
        let canonical = try vector.built
        #expect(canonical == vector.canonical)
        let seed = try #require(vector.seed.flatMap { Base64URL.decode($0) })
        let made = ApprovalKey(seed: Secret(copying: seed))
        let key = try #require(made)
        #expect(Wire.signature(of: canonical, with: key) == vector.signature)
    }

    @Test(arguments: file.invalid)
    func `what the vectors call invalid does not verify over our canonical string`(_ vector: Case) throws {
        let verified = Ed25519.verify(
            signature: Base64URL.decode(vector.signature) ?? [], of: Array(try vector.built.utf8),
            publicKey: try #require(Base64URL.decode(vector.public_key)))
        #expect(!verified)
    }

    @Test func `SG-05 nonces are 22 characters of base64url and differ`() {
        let nonces = (0..<1000).map { _ in Wire.makeNonce() }
        #expect(Set(nonces).count == nonces.count)
        #expect(nonces.allSatisfy { $0.utf8.count == 22 && $0.utf8.allSatisfy(\.isBase64URLCharacter) })
    }
}

/// A file of `Vectors/`.
func vectors<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors"))
    return try JSONDecoder().decode(type, from: Data(contentsOf: url))
}
