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

    /// A number of `/_sandbox/stats`.
    func sandboxStatistic(_ name: String) async throws -> Int64 {
        let answer = try await home.curl("http://127.0.0.1:\(sandboxPort)/_sandbox/stats")
        return try #require(answer.json?[name]?.integer)
    }
}
