import Core
import Testing
import Transport
import Upstream

struct EndpointTests {
    @Test(arguments: [
        "http://127.0.0.1:7448", "http://127.9.9.9", "http://[::1]:7448", "https://mimikey.example",
        "https://127.0.0.1", "https://localhost:8443",
    ])
    func `a loopback literal may be dialled without TLS, and anything with it`(_ text: String) async throws {
        let loop = try EventLoop(name: "test")
        let origin = try #require(Origin(text))
        _ = try UpstreamClient(.origin(origin), on: loop)
        await loop.stop()
    }

    @Test(arguments: [
        "http://localhost:7448", "http://192.0.2.1", "http://mimikey.example", "http://[::]:1", "http://[fe80::1]:1",
        "http://0.0.0.0",
    ])
    func `any other origin is refused before it is dialled`(_ text: String) async throws {
        let loop = try EventLoop(name: "test")
        let origin = try #require(Origin(text))
        #expect(throws: UpstreamClient.Refused.self) { _ = try UpstreamClient(.origin(origin), on: loop) }
        await loop.stop()
    }
}
