import Core
import Foundation
import Strongbox
import TestSupport
import Testing

@testable import MimiKey

/// The published vectors of sealed results, through a client's own opening and reading.
struct SealedBoxVectorTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let kind: String
        let grant_id: String?
        let request_id: String?
        let info: String?
        let aad: String?
        let recipient_private: String
        let plaintext: String?
        let box: String
        let error: String?
        let accept_errors: [String]?

        var testDescription: String { name }

        /// A client whose grant is the one that the box is for, and what it makes of the box.
        func opened() async throws(Problem) -> SecretBody {
            let client: MimiKeyClient
            do { client = try await SealedBoxVectorTests.client(of: self) } catch {
                throw Problem(.internalError, "The client could not be made.")
            }
            return try await client.open(box, of: request_id ?? "")
        }
    }

    struct File: Decodable {
        let valid: [Case]
        let malformed_plaintext: [Case]
        let invalid: [Case]

        static let loaded = try! vectors("sealedbox", as: File.self)
        /// Results that are to be opened with the `info` and `aad` that a client uses; the others are for `SealKey`.
        static func results(_ cases: [Case]) -> [Case] {
            cases.filter { vector in
                guard let grant = vector.grant_id, let request = vector.request_id else { return false }
                return vector.kind == "result" && vector.info == "mimikey/v3/result"
                    && vector.aad == Base64URL.encode(Array("\(grant)\n\(request)".utf8))
            }
        }
    }

    static func client(of vector: Case) async throws -> MimiKeyClient {
        let house = try House()
        let made = SealKey(privateKey: Secret(copying: Base64URL.decode(vector.recipient_private) ?? []))
        let seal = try #require(made)
        let tokens = Tokens(
            access: Secret(copying: Array("at".utf8)), refresh: Secret(copying: Array("rt".utf8)),
            accessExpiresAt: house.clock.wall + .seconds(3600))
        try await house.store.save(
            StoredGrant(
                grantID: vector.grant_id ?? "", clientID: "pmc_test", origin: "http://127.0.0.1:7448",
                approvalKey: ApprovalKey(), sealKey: seal, tokens: tokens, vaults: []))
        try await house.client.start()
        return house.client
    }

    @Test(arguments: File.results(File.loaded.valid))
    func `SB-04 valid results open and read, and their projection has the record's members`(_ vector: Case) async throws
    {
        let body = try await vector.opened()
        #expect(
            body.text == vector.plaintext.flatMap { Base64URL.decode($0) }.map { String(decoding: $0, as: UTF8.self) })
        let item = try ItemResult(reading: body)
        let projected = SecretBody(assembling: item.projection(to: .all), from: body)
        let record = try #require(
            try JSONDocument(Array(projected.text.utf8), limits: JSONLimits(acceptsNUL: true)).root["item"]?["record"])
        #expect(Set(record.members.map(\.name)) == item.names)
    }

    @Test(arguments: File.results(File.loaded.malformed_plaintext))
    func `SB-05 results that open to nonsense are result_malformed`(_ vector: Case) async throws {
        let body = try await vector.opened()
        let problem = #expect(throws: Problem.self) { _ = try ItemResult(reading: body) }
        #expect(problem?.code.rawValue == vector.error)
        #expect(problem?.detail == ItemResult.malformed.detail)
    }

    @Test(arguments: File.results(File.loaded.invalid))
    func `SB-01 SB-02 SB-04 what must not open is the code that the vector names`(_ vector: Case) async {
        do throws(Problem) {
            _ = try await vector.opened()
            Issue.record("it opened")
        } catch {
            #expect(([vector.error].compactMap(\.self) + (vector.accept_errors ?? [])).contains(error.code.rawValue))
        }
    }
}

extension SecretBody {
    /// For comparing; tests only.
    var text: String {
        withBytes { bytes in
            let span = Span<UInt8>(_bytes: bytes)
            return String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }
}
