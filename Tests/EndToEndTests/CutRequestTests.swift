import Core
import TestSupport
import Testing

/// Callers that go away in the middle.
@Suite(.timeLimit(.minutes(5))) struct CutRequestTests {
    @Test func `H1-34 of an ask that is cut in its body no card is made`() async throws {
        let stage = try await Stage(person: "none", manners: .polite)
        let head =
            "POST /v1/requests HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\nAuthorization: Bearer \(stage.token)\r\n"
            + "Content-Type: application/json\r\n"
        // The body is a whole ask; what is missing is only that it is the end.
        for framing in ["Content-Length: 999\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n59\r\n"] {
            let cut = Conversation(pieces: [Array((head + framing + Stage.body).utf8)], endsWriting: true)
            let answers = try WireAnswer.all(try await cut.run(port: stage.port))
            #expect(answers.map(\.status) == [400])
            #expect(answers.last?.values("connection") == ["close"])
        }
        // What would have been made of them would be there before this one.
        #expect(try await stage.ask(wait: 5).status == 202)
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        await stage.end()
    }

    @Test func `H1-35 a caller that resets while its card is pending disturbs nobody, and the card stays`() async throws
    {
        let stage = try await Stage(person: "none", manners: .polite)
        let client = try await RawSocket.connect(port: stage.port)
        try await client.send(
            "POST /v1/requests HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\nAuthorization: Bearer \(stage.token)\r\n"
                + "Content-Type: application/json\r\nPrefer: wait=60\r\nContent-Length: \(Stage.body.utf8.count)\r\n\r\n"
                + Stage.body)
        try await stage.untilSandbox(counts: 1, of: "requests_created")
        client.reset()
        // The same wish joins the card that is there.
        let again = try await stage.ask(wait: 0)
        #expect(again.status == 202 && again.json?["joined"]?.bool == true)
        #expect(try await stage.sandboxStatistic("requests_created") == 1)
        #expect(try await stage.home.curl(stage.url("/healthz")).status == 200)
        await stage.end()
    }
}
