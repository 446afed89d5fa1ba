import Core
import TestSupport
import Testing

@testable import Gateway

struct TagTests {
    private static func look(_ gateway: TestGateway, _ id: String, known: String, wait: Int? = nil) async -> Answer {
        var fields = [HTTPField("if-none-match", known)]
        if let wait { fields.append(HTTPField("prefer", "wait=\(wait)")) }
        return await gateway.send(.get, "/v1/requests/\(id)", fields: fields)
    }

    @Test func `an unfinished ask has a tag that a look does not change, a finished one has none`() async throws {
        try await withGateway { gateway in
            let made = await gateway.ask()
            let id = try #require(made.string("id"))
            #expect(!made.fields.contains("etag"))
            let tag = try #require(await gateway.look(id).fields.text("etag"))
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count == 22)
            #expect(await gateway.look(id).fields.text("etag") == tag)
            #expect(await gateway.look(id, method: .head).fields.text("etag") == tag)
            _ = await gateway.cancel(id)
            #expect(!(await gateway.look(id).fields.contains("etag")))
        }
    }

    @Test func `what is known already is 304 at once, without a body`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let tag = try #require(await gateway.look(id).fields.text("etag"))
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = await Self.look(gateway, id, known: known)
                #expect(answer.status == 304)
                #expect(answer.body.isEmpty)
                #expect(answer.fields.text("etag") == tag)
                #expect(answer.fields.text("cache-control") == "no-store")
            }
            #expect(await Self.look(gateway, id, known: "\"other\"").status == 200)
            let bad = await Self.look(gateway, id, known: "other")
            #expect(bad.status == 400)
            #expect(bad.error == "invalid_request")
        }
    }

    @Test func `a wait ends when it is in another state, or with 304`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let tag = try #require(await gateway.look(id).fields.text("etag"))
            async let same = Self.look(gateway, id, known: tag, wait: 5)
            await gateway.untilPolling(waits: 1)
            gateway.clock.advance(by: .seconds(5))
            let unchanged = await same
            #expect(unchanged.status == 304)
            #expect(unchanged.fields.text("preference-applied") == "wait=5")

            async let other = Self.look(gateway, id, known: tag, wait: 60)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.end(0, "approved")
            await gateway.poll(waits: 1)
            let changed = await other
            #expect(changed.status == 200)
            #expect(changed.state == "approved")
            #expect(changed.fields.text("etag") != tag)
            // What it knows is no more how it stands: no wait at all.
            #expect(await Self.look(gateway, id, known: tag, wait: 60).state == "approved")
        }
    }

    @Test func `a finished ask is answered in full, whatever is known`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            async let held = Self.look(gateway, id, known: "*", wait: 60)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.approve()
            await gateway.poll(waits: 1)
            #expect(await held.json["result"]?["item"]?["id"]?.string == "it_1")
            #expect(await Self.look(gateway, id, known: "*").status == 200)
        }
    }
}
