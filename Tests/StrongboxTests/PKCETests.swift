import Foundation
import Strongbox
import Testing

/// `Vectors/pkce.json`.
struct PKCETests {
    struct Pair: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let code_verifier: String
        let code_challenge: String?
        var testDescription: String { name }
    }

    struct File: Decodable {
        let cases: [Pair]
        let invalid_verifiers: [Pair]
    }

    static let file = Result { try VectorFile.load("pkce", as: File.self) }

    @Test(arguments: try file.get().cases)
    func `A verifier has the published challenge`(_ pair: Pair) {
        #expect(PKCE.challenge(for: Array(pair.code_verifier.utf8)) == pair.code_challenge)
    }

    @Test(arguments: try file.get().invalid_verifiers)
    func `What is no verifier has no challenge`(_ pair: Pair) {
        #expect(PKCE.challenge(for: Array(pair.code_verifier.utf8)) == nil)
    }

    @Test func `A new verifier has 43 characters, a challenge, and no twin`() {
        let first = PKCE.makeVerifier()
        let second = PKCE.makeVerifier()
        #expect(first.count == 43)
        #expect(PKCE.challenge(for: first.exposed()) != nil)
        let areEqual = first.isEqual(to: second)
        #expect(!areEqual)
    }
}
