import Core
import Foundation
import Testing

@testable import Gateway

struct ContractTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "openapi.yaml")

    /// `GET /path`, for each operation of the document. It is edited by hand, with two blanks a level.
    private static func operations(of text: String) -> Set<String> {
        let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
        var found: Set<String> = []
        var path: Substring?
        var isInPaths = false
        for line in text.split(separator: "\n") {
            if !line.hasPrefix(" ") { isInPaths = line == "paths:" }
            guard isInPaths else { continue }
            if line.hasPrefix("  /") { path = line.dropFirst(2).dropLast() }
            if line.hasPrefix("    "), !line.hasPrefix("     "), line.hasSuffix(":"), let path {
                let name = line.dropFirst(4).dropLast()
                if methods.contains(String(name)) { found.insert("\(name.uppercased()) \(path)") }
            }
        }
        return found
    }

    @Test func `the document has every route, and no route more`() throws {
        let documented = Self.operations(of: try String(contentsOf: Self.file, encoding: .utf8))
        let routed = Set(Routes.all.map { "\($0.method) \($0.path)" })
        #expect(documented.subtracting(routed) == [])
        #expect(routed.subtracting(documented) == [])
        #expect(routed.count == Routes.all.count)
    }

    @Test func `the document that is served is the one at the top of the repository`() async throws {
        let file = try Data(contentsOf: Self.file)
        try await withGateway { gateway in
            let answer = await gateway.send(.get, "/openapi.yaml", token: nil)
            #expect(answer.status == 200)
            #expect(answer.fields.text("content-type") == "application/yaml")
            #expect(Data(answer.body) == file)
        }
    }

    @Test func `every code that the catalogue gives a caller stands in the document or belongs to the codec`() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let here: [ErrorCode] = [
            .invalidJSON, .jsonLimit, .unknownMember, .invalidMember, .missingMember, .invalidPreference,
            .unsupportedOperation, .unsupportedMediaType, .contentTooLarge, .unauthorized, .hostNotAllowed,
            .originNotAllowed, .forwarded, .notFound, .methodNotAllowed, .policyDenied, .tooManyPending, .notAuthorized,
            .revoked, .refreshUnknown, .outcomeUnknown, .upstreamUnreachable, .upstreamTimeout, .upstreamCertificate,
            .upstreamTLS, .malformedResponse,
            .clockSkew, .storage, .shuttingDown, .requestTimeout,
        ]
        for code in here { #expect(text.contains("`\(code)`"), "\(code)") }
    }
}
