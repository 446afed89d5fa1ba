import Core
import Testing

@testable import Gateway

struct SignatureFieldTests {
    @Test(arguments: [false, true])
    func `SG-12 what a caller sends of a signature or a token never reaches MimiKey`(_ overSocket: Bool) async throws {
        var options = TestGateway.Options()
        options.overSocket = overSocket
        try await withGateway(options) { gateway in
            let forged = [
                HTTPField("x-pm-timestamp", "1"), HTTPField("x-pm-nonce", "forged-nonce"),
                HTTPField("X-PM-Signature", "forged-signature"), HTTPField("x-pm-anything", "forged-thing"),
                HTTPField("prefer", "wait=0"), HTTPField("cookie", "forged-cookie"),
            ]
            let made = await gateway.send(
                .post, "/v1/requests", body: #"{"op":"pick_item","reason":"x-pm-nonce: forged\r\nx-pm-nonce: forged"}"#,
                fields: forged)
            #expect(made.status == 202)
            let id = try #require(made.string("id"))
            _ = await gateway.send(.delete, "/v1/requests/\(id)", fields: forged)
            let sent = gateway.mimiKey.sent
            #expect(sent.count >= 2)
            for request in sent {
                let names = request.fields.lines.map { "\($0.name)".lowercased() }
                #expect(
                    names.filter { $0.hasPrefix("x-pm-") }.sorted() == [
                        "x-pm-nonce", "x-pm-signature", "x-pm-timestamp",
                    ])
                #expect(request.fields.count("authorization") == 1)
                #expect(!request.fields.contains("cookie"))
                #expect(request.fields.text("authorization") == "Bearer canary-access")
                for line in request.fields.lines {
                    #expect(!String(decoding: line.value, as: UTF8.self).contains("forged"))
                }
            }
        }
    }
}
