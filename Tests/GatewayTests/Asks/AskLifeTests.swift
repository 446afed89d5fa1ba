import Core
import Strongbox
import TestSupport
import Testing

@testable import Gateway

struct AskLifeTests {
    @Test func `an ask that is not held is 202 with a link, and a later look completes it`() async throws {
        try await withGateway { gateway in
            let made = await gateway.ask(wait: 0)
            #expect(made.status == 202)
            let json = made.json
            let id = try #require(json["id"]?.string)
            #expect(made.fields.text("location") == "/v1/requests/\(id)")
            #expect(made.fields.text("retry-after") == "1")
            #expect(made.fields.text("preference-applied") == "wait=0")
            #expect(json["state"]?.string == "pending")
            #expect(json["upstream_id"]?.string == "rq_1")
            #expect(json["created_at"]?.string == "2026-05-28T20:26:40Z")
            #expect(json["expires_at"]?.string == "2026-05-28T20:36:40Z")
            #expect(json["open_url"]?.string?.hasPrefix("mimikey://request?request_id=rq_1&state=") == true)
            #expect(json["message"]?.string?.contains("mimikey://request?") == true)
            #expect(json["next_action"]?.string == "wait")
            #expect(json["result"]?.isNull == true)
            #expect(json["next"]?["href"]?.string == "/v1/requests/\(id)")
            #expect(json["next"]?["headers"]?["Prefer"]?.string == "wait=25")

            let pending = await gateway.look(id)
            #expect(pending.status == 200)
            #expect(pending.state == "pending")

            gateway.mimiKey.approve()
            async let held = gateway.look(id, wait: 20)
            await gateway.poll(waits: 1)
            let done = await held
            #expect(done.status == 200)
            #expect(done.string("state") == "completed")
            #expect(done.fields.text("preference-applied") == "wait=20")
        }
    }

    @Test func `a held ask is answered with the projected record when the person has tapped`() async throws {
        try await withGateway { gateway in
            async let answer = gateway.ask(wait: 20)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.approve()
            await gateway.poll(waits: 1)
            let done = await answer
            #expect(done.status == 200)
            let json = done.json
            #expect(json["state"]?.string == "completed")
            #expect(json["executed"]?.bool == true)
            #expect(json["result_state"]?.string == "held")
            let item = json["result"]?["item"]
            #expect(item?["id"]?.string == "it_1")
            #expect(item?["revision"]?.integer == 7)
            #expect(item?["record"]?.members.map(\.name).sorted() == ["password", "username"])
            #expect(item?["record"]?["password"]?.string == "canary-password")
        }
    }

    @Test func `the resource has every member, finished or not`() async throws {
        let always: Set = [
            "id", "upstream_id", "op", "state", "created_at", "expires_at", "open_url", "open_error", "joined",
            "executed", "retryable", "next_action", "message", "error", "deny_reason", "result", "result_state",
        ]
        try await withGateway { gateway in
            let made = await gateway.ask()
            #expect(Set(made.json.members.map(\.name)) == always.union(["next"]))
            let id = try #require(made.string("id"))
            let cancelled = await gateway.cancel(id)
            #expect(Set(cancelled.json.members.map(\.name)) == always)
        }
    }

    @Test func `the card carries the hint and the verified caller before the claim`() async throws {
        try await withGateway { gateway in
            _ = await gateway.ask(
                #"{"op":"pick_item","hint":{"url":"https://bank.example.com"},"reason":"reconcile","vault_id":"v_1"}"#)
            let body = try #require(gateway.mimiKey.cards.first).body.root
            #expect(body["hint"]?["url"]?.string == "https://bank.example.com")
            #expect(body["vault_id"]?.string == "v_1")
            let reason = try #require(body["reason"]?.string)
            #expect(reason.hasPrefix("agent"))
            #expect(reason.contains("reconcile"))
        }
    }

    @Test(
        arguments: [
            ("denied", nil, "stop"), ("denied", "conflict", "read_again"), ("cancelled", nil, "stop"),
            ("expired", nil, "ask_user"),
        ] as [(String, String?, String)])
    func `AP-03 what the person decides is a 200 of its own state`(
        state: String, reason: String?, next: String
    ) async throws {
        try await withGateway { gateway in
            async let answer = gateway.ask(wait: 20)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.end(0, state, denyReason: reason)
            await gateway.poll(waits: 1)
            let done = await answer
            #expect(done.status == 200)
            let json = done.json
            #expect(json["state"]?.string == state)
            #expect(json["deny_reason"]?.string == reason)
            #expect(json["next_action"]?.string == next)
            #expect(json["executed"]?.bool == false)
            #expect(json["error"]?.isNull == true)
            #expect(json["result"]?.isNull == true)
        }
    }

    @Test func `without a grant nothing is asked`() async throws {
        try await withGateway(authorized: false) { gateway in
            let answer = await gateway.ask()
            #expect(answer.status == 409)
            #expect(answer.error == "not_authorized")
            #expect(answer.string("next_action") == "authorize")
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test(
        arguments: [
            (400, "unsupported_kind", 400), (403, "vault_not_granted", 403), (429, "too_many_requests", 429),
        ] as [(Int, String, Int)])
    func `a refusal of MimiKey is the answer of the POST, with its code`(
        theirs: Int, code: String, ours: Int
    ) async throws {
        try await withGateway { gateway in
            gateway.mimiKey.refuseNext("POST /api/oauth/requests", status: HTTPStatus(code: theirs), code)
            let answer = await gateway.ask(wait: 20)
            #expect(answer.status == ours)
            #expect(answer.error == code)
            let id = try #require(answer.string("ask_id"))
            let later = await gateway.look(id)
            #expect(later.state == "failed")
            #expect(later.error == code)
        }
    }

    @Test func `when it is not known whether there is a card, it is not asked again`() async throws {
        try await withGateway { gateway in
            gateway.mimiKey.answerNext(
                "POST /api/oauth/requests", .failure(SendFailure(.closed, bytesMayHaveLeft: true)))
            let answer = await gateway.ask(wait: 20)
            #expect(answer.status == 502)
            #expect(answer.error == "outcome_unknown")
            #expect(gateway.mimiKey.count("POST /api/oauth/requests") == 1)
        }
    }

    @Test func `completed without a result is failed`() async throws {
        try await withGateway { gateway in
            async let answer = gateway.ask(wait: 20)
            await gateway.untilPolling(waits: 1)
            gateway.mimiKey.end(0, "completed")
            await gateway.poll(waits: 1)
            let done = await answer
            #expect(done.state == "failed")
            #expect(done.error == "result_missing")
        }
    }

    @Test func `another caller's ask is 404, as one that never was`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            for answer in [
                await gateway.look(id, token: TestGateway.otherToken),
                await gateway.cancel(id, token: TestGateway.otherToken),
                await gateway.look("ask_0123456789abcdefghijkl"), await gateway.look("nonsense"),
            ] {
                #expect(answer.status == 404)
                #expect(answer.error == "not_found")
            }
            #expect(await gateway.look(id).state == "pending")
        }
    }

    @Test func `a finished ask is readable for a day`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            _ = await gateway.cancel(id)
            gateway.clock.advance(by: .seconds(86_399))
            #expect(await gateway.look(id).state == "cancelled")
            gateway.clock.advance(by: .seconds(3))
            #expect(await gateway.look(id).status == 404)
        }
    }
}
