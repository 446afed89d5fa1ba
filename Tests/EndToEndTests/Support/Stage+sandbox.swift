import Core
import Testing

/// The sandbox's control door.
extension Stage {
    @discardableResult
    func control(_ path: String, _ body: String = "{}") async throws -> CurlAnswer {
        let answer = try await home.curl("--json", body, "http://127.0.0.1:\(sandboxPort)/_sandbox/\(path)")
        #expect(answer.status == 200, "\(path): \(answer.body)")
        return answer
    }

    /// The caller does not want it any more.
    func withdraw(_ id: String) async throws -> CurlAnswer {
        try await home.curl("-X", "DELETE", "-H", "Authorization: Bearer \(token)", url("/v1/requests/\(id)"))
    }

    /// A number of `/_sandbox/stats`.
    func sandboxStatistic(_ name: String) async throws -> Int64 {
        let answer = try await home.curl("http://127.0.0.1:\(sandboxPort)/_sandbox/stats")
        return try #require(answer.json?[name]?.integer)
    }

    /// Returns once a number of `/_sandbox/stats` has been reached. The test's time limit ends it otherwise.
    func untilSandbox(counts number: Int64, of name: String) async throws {
        while try await sandboxStatistic(name) < number { try Task.checkCancellation() }
    }

    /// The gateway once more, over the state that the first one left.
    func serveAgain() async throws -> Running {
        let again = try home.start("serve")
        try await again.says("listening on http://127.0.0.1:\(port)")
        return again
    }
}
