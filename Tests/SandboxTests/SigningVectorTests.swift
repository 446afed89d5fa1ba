import Core
import Foundation
import Testing

@testable import Sandbox

/// The published signatures, held against the sandbox's own reading of the protocol.
struct SigningVectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let target: String
        let path: String
        let body: String
        let timestamp: Int64
        let nonce: String
        let public_key: String
        let canonical: String?
        let signature: String

        var testDescription: String { name }

        var call: APICall {
            APICall(
                method: HTTPMethod(name: method), path: String(target.prefix { $0 != "?" }),
                fields: [
                    HTTPField(Wire.timestampField, String(timestamp)), HTTPField(Wire.nonceField, nonce),
                    HTTPField(Wire.signatureField, signature),
                ],
                body: Base64URL.decode(body) ?? [])
        }
    }

    struct File: Decodable {
        let cases: [Vector]
        let invalid: [Vector]
    }

    static let file: File = {
        guard let url = Bundle.module.url(forResource: "Vectors/signing", withExtension: "json"),
            let data = try? Data(contentsOf: url), let file = try? JSONDecoder().decode(File.self, from: data)
        else {
            Issue.record("there is no signing.json")
            return File(cases: [], invalid: [])
        }
        return file
    }()

    @Test func `the file has both kinds`() {
        #expect(Self.file.cases.count >= 20)
        #expect(Self.file.invalid.count >= 10)
    }

    @Test(arguments: file.cases)
    func `the canonical string is the published one and its signature verifies`(vector: Vector) throws {
        let call = vector.call
        #expect(call.path == vector.path)
        #expect(
            Wire.canonicalString(
                method: call.method.name, path: call.path, timestamp: String(vector.timestamp), nonce: vector.nonce,
                body: call.body) == vector.canonical)
        let nonce = try SignatureCheck.nonce(
            of: call, approvalKey: try #require(Wire.key(vector.public_key)),
            at: UnixTime(seconds: vector.timestamp))
        #expect(nonce == vector.nonce)
    }

    @Test(arguments: file.invalid)
    func `a signature that must not verify is refused`(vector: Vector) throws {
        let key = try #require(Wire.key(vector.public_key))
        #expect(throws: Refusal.signatureInvalid) {
            try SignatureCheck.nonce(of: vector.call, approvalKey: key, at: UnixTime(seconds: vector.timestamp))
        }
    }
}
