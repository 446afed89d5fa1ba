import Core
import Testing

@testable import Gateway

/// What a stranger can learn from refusals.
struct OracleTests {
    private static let known = [
        "/v1/whoami", "/v1/requests", "/v1/requests/ask_0123456789abcdefghijkl", "/admin/grant",
    ]
    private static let unknown = ["/nowhere", "/v1/whoamj", "/v1/requests/x/y", "/admin/none"]

    @Test func `BR-19 known and unknown routes are refused alike, to the byte`() async throws {
        try await withGateway { gateway in
            var withoutToken: Set<String> = []
            var withWrongHost: Set<String> = []
            for path in Self.known + Self.unknown + ["/healthz", "/openapi.yaml", "/callback", "/readyz"] {
                for method in HTTPMethod.ofEveryKind {
                    withWrongHost.insert(
                        await gateway.send(method, path, body: "{}", host: "evil.test").withoutTrace)
                    if Self.known.contains(path) || Self.unknown.contains(path) {
                        withoutToken.insert(await gateway.send(method, path, body: "{}", token: nil).withoutTrace)
                    }
                }
            }
            #expect(withoutToken.count == 1)
            #expect(withWrongHost.count == 1)
        }
    }

    /// The machine is noisy, so this is loose: it would see a look-up on disk, or a wait, on one side only.
    @Test func `BR-19 refusals take the same time, whether the route is known and the Host good`() async throws {
        try await withGateway { gateway in
            let cases: [(path: String, host: String)] = [
                (Self.known[0], "127.0.0.1:7447"), (Self.unknown[0], "127.0.0.1:7447"),
                (Self.known[0], "evil.test"), (Self.unknown[0], "evil.test"),
            ]
            var times = cases.map { _ in [Duration]() }
            let clock = ContinuousClock()
            for _ in 0..<300 {
                // Side by side, so that what the machine does otherwise meets all of them.
                for (index, (path, host)) in cases.enumerated() {
                    let begun = clock.now
                    _ = await gateway.send(.get, path, token: nil, host: host)
                    times[index].append(clock.now - begun)
                }
            }
            let medians = times.map { $0.sorted()[$0.count / 2] }
            let slowest = try #require(medians.max())
            let quickest = try #require(medians.min())
            #expect(slowest < quickest * 5 + .milliseconds(1), "\(medians)")
        }
    }
}
