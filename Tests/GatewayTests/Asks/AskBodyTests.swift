import Core
import Testing

@testable import Gateway

struct AskBodyTests {
    private let caller = CallerName("agent")!

    private func refusal(_ body: String) -> Problem? {
        do throws(Problem) {
            _ = try AskBody.call(in: Array(body.utf8), by: caller)
            return nil
        } catch {
            return error
        }
    }

    @Test func `every member is read`() throws {
        let body = """
            {"op":"pick_item","hint":{"url":"https://a.example","title":"A","kind":"login"},"vault_id":"v_1",
             "reason":"two\\nlines","want":["username","card_number"]}
            """
        let call = try AskBody.call(in: Array(body.utf8), by: caller)
        #expect(
            call
                == Call(
                    caller: caller, op: .pickItem, hint: Hint(url: "https://a.example", title: "A", kind: "login"),
                    vaultID: "v_1", reason: "two\nlines", want: ["username", "card_number"]))
    }

    @Test(arguments: [
        (#"{"op":"pick_item","urgent":true}"#, "unknown_member", "`urgent`"),
        (#"{"op":"pick_item","hint":{"urls":"x"}}"#, "unknown_member", "`urls`"),
        (#"{"op":"pick_item","item_id":"x"}"#, "unknown_member", "`item_id`"),
        (#"{}"#, "missing_member", "`op`"),
        (#"{"op":7}"#, "invalid_member", "`op`"),
        (#"{"op":null}"#, "invalid_member", "`op`"),
        (#"{"op":"drop_item"}"#, "unsupported_operation", "`op`"),
        (#"{"op":"get_item"}"#, "unsupported_operation", "`op`"),
        (#"{"op":"pick_item","hint":"bank"}"#, "invalid_member", "`hint`"),
        (#"{"op":"pick_item","hint":null}"#, "invalid_member", "`hint`"),
        (#"{"op":"pick_item","hint":{"url":7}}"#, "invalid_member", "`hint.url`"),
        (#"{"op":"pick_item","hint":{"url":""}}"#, "invalid_member", "`hint.url`"),
        (#"{"op":"pick_item","hint":{"title":"a\u0001b"}}"#, "invalid_member", "`hint.title`"),
        (#"{"op":"pick_item","hint":{"kind":[]}}"#, "invalid_member", "`hint.kind`"),
        (#"{"op":"pick_item","vault_id":false}"#, "invalid_member", "`vault_id`"),
        (#"{"op":"pick_item","reason":{}}"#, "invalid_member", "`reason`"),
        (#"{"op":"pick_item","want":"password"}"#, "invalid_member", "`want`"),
        (#"{"op":"pick_item","want":[]}"#, "invalid_member", "`want`"),
        (#"{"op":"pick_item","want":["Password"]}"#, "invalid_member", "`want`"),
        (#"{"op":"pick_item","want":[1]}"#, "invalid_member", "`want`"),
        (#"[]"#, "invalid_json", "object"),
        (#"{"op":"pick_item","op":"pick_item"}"#, "invalid_json", "byte"),
        (#"{"op":"pick_item"} x"#, "invalid_json", "byte"),
        ("", "invalid_json", "byte"),
    ])
    func `what is not in the contract is refused by name`(body: String, code: String, named: String) throws {
        let problem = try #require(refusal(body))
        #expect(problem.code.rawValue == code)
        #expect(problem.status == 400)
        #expect(problem.detail.contains(named))
    }

    @Test func `values are never repeated`() throws {
        for body in [
            #"{"op":"canary-value"}"#, #"{"op":"pick_item","want":["Canary-value"]}"#,
            #"{"op":"pick_item","hint":"canary-value"}"#, #"{"op":"pick_item","reason":"canary-value"#,
        ] {
            let problem = try #require(refusal(body))
            #expect(!problem.detail.lowercased().contains("canary"))
        }
    }

    @Test func `an unknown name is shown in plain characters and cut`() throws {
        let name = "a\u{202E}" + String(repeating: "b", count: 100)
        let problem = try #require(refusal(#"{"op":"pick_item","\#(name)":1}"#))
        #expect(problem.detail.contains("`a?" + String(repeating: "b", count: 62) + "…`"))
    }

    @Test func `what is too long is refused`() {
        let long = { String(repeating: "x", count: $0) }
        #expect(refusal(#"{"op":"pick_item","reason":"\#(long(501))"}"#)?.code == .invalidMember)
        #expect(refusal(#"{"op":"pick_item","reason":"\#(long(500))"}"#) == nil)
        #expect(refusal(#"{"op":"pick_item","hint":{"url":"\#(long(2049))"}}"#)?.code == .invalidMember)
        #expect(refusal(#"{"op":"pick_item","hint":{"title":"\#(long(257))"}}"#)?.code == .invalidMember)
        let many = (0...32).map { "\"f\($0)\"" }.joined(separator: ",")
        #expect(refusal(#"{"op":"pick_item","want":[\#(many)]}"#)?.code == .invalidMember)
    }
}

struct BodyTests {
    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "application/json, text/plain", "application/jsonx", "application/json;charset=utf-7", "",
        "application/problem+json",
    ])
    func `BR-07 BR-08 another content type is 415 and makes no card`(type: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(
                .post, "/v1/requests", body: #"{"op":"pick_item"}"#, fields: [HTTPField("content-type", type)])
            #expect(answer.status == 415)
            #expect(answer.error == "unsupported_media_type")
            #expect(answer.text.contains("curl --json"))
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `BR-08 a doubled content type is 415`() async throws {
        try await withGateway { gateway in
            let field = HTTPField("content-type", "application/json")
            let answer = await gateway.send(
                .post, "/v1/requests", body: #"{"op":"pick_item"}"#, fields: [field, field])
            #expect(answer.status == 415)
        }
    }

    @Test func `a compressed body is 415`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(
                .post, "/v1/requests", body: #"{"op":"pick_item"}"#, fields: [HTTPField("content-encoding", "gzip")])
            #expect(answer.status == 415)
        }
    }

    @Test func `a body of more than 400,000 bytes is 413`() async throws {
        try await withGateway { gateway in
            let blanks = String(repeating: " ", count: 400_000 - 18)
            let fits = await gateway.ask(#"{"op":"pick_item"}"# + blanks)
            #expect(fits.status != 413)
            let tooLong = await gateway.ask(#"{"op":"pick_item"}"# + blanks + " ")
            #expect(tooLong.status == 413)
            #expect(tooLong.error == "content_too_large")
        }
    }
}
