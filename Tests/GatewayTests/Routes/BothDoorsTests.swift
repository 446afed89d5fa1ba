import Core
import TestSupport
import Testing

@testable import Gateway

/// One body, two doors: the responder called as it is, and behind our server on a socket.
struct BothDoorsTests {
    @Test(arguments: [false, true])
    func `an ask is made, waited for, completed and forgotten`(overSocket: Bool) async throws {
        try await withGateway(.init(overSocket: overSocket)) { gateway in
            let made = await gateway.ask(wait: 0)
            #expect(made.status == 202)
            let id = try #require(made.string("id"))
            #expect(made.fields.text("location") == "/v1/requests/\(id)")
            gateway.mimiKey.approve()
            async let held = gateway.look(id, wait: 20)
            await gateway.poll(waits: 1)
            let done = await held
            #expect(done.status == 200)
            #expect(done.json["result"]?["item"]?["record"]?["password"]?.string == "canary-password")
            // The delivery was told: one minute after it the result goes.
            await gateway.clock.untilSleepers { $0.contains(.seconds(60)) }
            gateway.clock.advance(by: .seconds(60))
            #expect(await gateway.look(id).string("result_state") == "released")
            #expect(await gateway.cancel(id).state == "completed")
        }
    }

    @Test(arguments: [false, true])
    func `refusals have their status, code and fields`(overSocket: Bool) async throws {
        try await withGateway(.init(overSocket: overSocket)) { gateway in
            let nobody = await gateway.send(.get, "/v1/whoami", token: nil)
            #expect(nobody.status == 401)
            #expect(nobody.fields.text("www-authenticate") == "Bearer")
            #expect(await gateway.send(.get, "/nowhere").error == "not_found")
            let put = await gateway.send(.put, "/v1/requests", body: "{}")
            #expect(put.status == 405)
            #expect(put.fields.text("allow") == "POST, GET, HEAD")
            let form = await gateway.send(
                .post, "/v1/requests", body: "op=pick_item",
                fields: [HTTPField("content-type", "application/x-www-form-urlencoded")])
            #expect(form.status == 415)
            let long = await gateway.ask(#"{"op":"pick_item"}"# + String(repeating: " ", count: 400_000))
            #expect(long.status == 413)
            #expect(await gateway.ask(#"{"op":"pick_item","x":1}"#).error == "unknown_member")
            #expect(await gateway.look("ask_0123456789abcdefghijkl").status == 404)
        }
    }

    @Test(arguments: [false, true])
    func `the person's no ends a wait`(overSocket: Bool) async throws {
        try await withGateway(.init(overSocket: overSocket)) { gateway in
            async let answer = gateway.ask(wait: 60)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.end(0, "denied")
            await gateway.poll(waits: 1)
            #expect(await answer.state == "denied")
        }
    }
}
