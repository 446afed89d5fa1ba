import Core
import Foundation
import Testing

/// How an answer travels that has a secret in it.
@Suite(.timeLimit(.minutes(3))) struct SecretAnswerTests {
    @Test func `SE-11 a result is not to be stored, has no ETag and is never compressed`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        // Text that a stranger chose, beside the secret, and a reader that takes any compression.
        let reason = String(repeating: "sandbox-not-a-real-password-", count: 15)
        let body = #"{"op":"pick_item","hint":{"url":"https://bank.example.com"},"reason":"\#(reason)"}"#
        let common = [
            "-H", "Authorization: Bearer \(stage.token)", "-H", "Accept-Encoding: gzip, deflate, br, zstd", "-H",
            "TE: gzip", "-H", "If-None-Match: *", "-sS", "-i", "-w", "\n%{http_code}",
        ]
        let curl = { (more: [String]) in
            CurlAnswer(try await Running("curl", common + more, in: stage.home).finished())
        }
        let pending = try await curl(["--json", body, "-H", "Prefer: wait=0", stage.url("/v1/requests")])
        let id = try #require(pending.json?["id"]?.string)
        try await stage.control("person", #"{"script":"after=0s"}"#)
        let path = stage.url("/v1/requests/\(id)")
        let got = try await curl(["-H", "Prefer: wait=20", path])
        let again = try await curl([path])
        let old = try await curl(["--http1.0", path])
        let posted = try await curl(["--json", body, "-H", "Prefer: wait=20", stage.url("/v1/requests")])
        for answer in [got, again, old, posted] {
            #expect(answer.status == 200)
            #expect(answer.record?["password"]?.string == "sandbox-not-a-real-password-1")
            #expect(answer.field("cache-control") == "no-store")
            for name in ["etag", "last-modified", "expires", "content-encoding", "transfer-encoding"] {
                #expect(answer.field(name) == nil, "\(name)")
            }
            #expect(answer.field("content-length") == "\(answer.body.utf8.count)")
        }
        await stage.end()
    }
}
