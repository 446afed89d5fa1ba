import Core
import TestSupport
import Testing

@testable import Gateway

struct LoggingTests {
    @Test func `SE-02 a request is one line with template, caller and status, and nothing that was sent`() async throws
    {
        try await withGateway { gateway in
            async let answer = gateway.ask(
                #"{"op":"pick_item","hint":{"url":"https://canary-url.example"},"reason":"canary-reason"}"#, wait: 20)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.approve()
            await gateway.poll(waits: 1)
            let id = try #require(await answer.string("id"))
            _ = await gateway.look(id)
            _ = await gateway.send(
                .get, "/v1/requests/canary-path?token=canary-query",
                fields: [HTTPField("x-canary", "canary-field"), HTTPField("cookie", "canary-cookie")])
            _ = await gateway.send(.get, "/v1/whoami", token: "cs_canary")
            _ = await gateway.send(HTTPMethod(name: "CANARY"), "/v1/whoami")
            let text = gateway.logText
            #expect(!text.lowercased().contains("canary"))
            #expect(!text.contains(TestGateway.token))
            #expect(text.contains("/v1/requests/{id}"))
            #expect(gateway.requestLines == 5)
        }
    }
}

extension TestGateway {
    var requestLines: Int { log.count { $0.message.description == "request" } }
}
