import Core
import Strongbox

@testable import Gateway

extension Route {
    /// A path that it matches, of an ask that is not there.
    var concretePath: String { path.replacing("{id}", with: "ask_0123456789abcdefghijkl") }
}

extension HTTPMethod {
    static let ofEveryKind: [HTTPMethod] = [
        .get, .head, .post, .put, .patch, .delete, .options, HTTPMethod(name: "BREW"),
    ]
}

extension TestGateway {
    /// What a page must not change: the calls to MimiKey, the open asks, and whether somebody authorizes.
    func traces() async throws -> [String] {
        // Whose account it is, MimiKey is asked each time; what that leaves behind, the pinned key, is seen in the grant.
        try await mimiKey.calls.filter { $0 != "GET /api/oauth/account" } + store.openAsks().map(\.id.rawValue)
            + [operate(.get, "/admin/grant").text]
    }
}

extension HTTPField {
    var text: String { String(decoding: value, as: UTF8.self) }
}

extension Answer {
    /// All of it, but for what differs from answer to answer.
    var withoutTrace: String {
        let trace = string("trace_id") ?? "none"
        let fields = fields.lines.map { "\($0.name): \($0.text)" }.joined(separator: "\n")
        return "\(status)\n\(fields)\n\(text.replacing(trace, with: ""))"
    }
}
