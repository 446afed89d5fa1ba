import Core
import Strongbox
import Testing

@testable import Gateway

struct AskBodyTests {
    private let caller = CallerName("agent")!

    private func refusal(_ body: String) -> Problem? {
        do throws(Problem) {
            _ = try AskBody(reading: Array(body.utf8), by: caller)
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
        let read = try AskBody(reading: Array(body.utf8), by: caller)
        #expect(read.patch == nil)
        #expect(
            read.call
                == Call(
                    caller: caller, op: .pickItem, hint: Hint(url: "https://a.example", title: "A", kind: "login"),
                    vaultID: "v_1", reason: "two\nlines", want: ["username", "card_number"]))
    }

    @Test(arguments: [
        (#"{"op":"pick_item","urgent":true}"#, "unknown_member", "`urgent`"),
        (#"{"op":"pick_item","hint":{"urls":"x"}}"#, "unknown_member", "`urls`"),
        (#"{"op":"pick_item","item_id":"x"}"#, "invalid_member", "`item_id`"),
        (#"{"op":"pick_item","patch":{"title":"x"}}"#, "invalid_member", "`patch`"),
        (#"{"op":"pick_item","prefill":{}}"#, "invalid_member", "`prefill`"),
        (#"{"op":"pick_item","kind":"login"}"#, "invalid_member", "`kind`"),
        (#"{"op":"get_item","item_id":"x","hint":{}}"#, "invalid_member", "`hint`"),
        (#"{"op":"get_item","item_id":"x","kind":"login"}"#, "invalid_member", "`kind`"),
        (#"{"op":"get_item"}"#, "item_id_required", "`item_id`"),
        (#"{"op":"get_item","item_id":""}"#, "invalid_member", "`item_id`"),
        (#"{"op":"get_item","item_id":7}"#, "invalid_member", "`item_id`"),
        (#"{"op":"create_item"}"#, "missing_member", "`kind`"),
        (#"{"op":"create_item","kind":"login","item_id":"x"}"#, "invalid_member", "`item_id`"),
        (#"{"op":"create_item","kind":"login","hint":{}}"#, "invalid_member", "`hint`"),
        (#"{"op":"create_item","kind":"login","prefill":[]}"#, "invalid_member", "`prefill`"),
        (#"{"op":"create_item","kind":"login","prefill":{"password":"canary"}}"#, "unknown_member", "`password`"),
        (#"{"op":"create_item","kind":"login","prefill":{"username_hint":1}}"#, "invalid_member", "username_hint"),
        (#"{"op":"update_item","patch":{"title":"x"}}"#, "item_id_required", "`item_id`"),
        (#"{"op":"update_item","item_id":"x"}"#, "missing_member", "`patch`"),
        (#"{"op":"update_item","item_id":"x","patch":{}}"#, "empty_patch", "`patch`"),
        (#"{"op":"update_item","item_id":"x","patch":[]}"#, "invalid_member", "`patch`"),
        (#"{"op":"update_item","item_id":"x","patch":null}"#, "invalid_member", "`patch`"),
        (#"{"op":"update_item","item_id":"x","patch":{"Title":"x"}}"#, "invalid_member", "`patch`"),
        (#"{"op":"update_item","item_id":"x","patch":{"title":null}}"#, "invalid_member", "`title`"),
        (#"{"op":"update_item","item_id":"x","patch":{"title":1}}"#, "invalid_member", "`title`"),
        (#"{"op":"update_item","item_id":"x","patch":{"a":"x"},"want":["a"]}"#, "invalid_member", "`want`"),
        (#"{"op":"update_item","item_id":"x","patch":{"a":"x","\u0061":"y"}}"#, "invalid_json", "byte"),
        (#"{}"#, "missing_member", "`op`"),
        (#"{"op":7}"#, "invalid_member", "`op`"),
        (#"{"op":null}"#, "invalid_member", "`op`"),
        (#"{"op":"drop_item"}"#, "unsupported_operation", "`op`"),
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
            #"{"op":"update_item","item_id":"canary","patch":{"title":["canary-value"]}}"#,
            #"{"op":"update_item","item_id":"canary","patch":{"Canary-value":"canary-value"}}"#,
            #"{"op":"get_item","item_id":"canary\u0001"}"#,
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

    @Test func `the members of the other operations are read`() throws {
        let get = try AskBody(
            reading: Array(
                #"{"op":"get_item","vault_id":"v_1","item_id":"it_1","reason":"r","want":["title"]}"#.utf8), by: caller)
        #expect(
            get.call
                == Call(caller: caller, op: .getItem, vaultID: "v_1", itemID: "it_1", reason: "r", want: ["title"]))
        let create = try AskBody(
            reading: Array(
                #"{"op":"create_item","kind":"login","prefill":{"title":"T","url":"https://a.example","username_hint":"kim"}}"#
                    .utf8), by: caller)
        #expect(
            create.call
                == Call(
                    caller: caller, op: .createItem,
                    prefill: Prefill(title: "T", url: "https://a.example", usernameHint: "kim"), kind: "login"))
    }

    private func patch(_ members: String) throws -> Patch {
        let body = #"{"op":"update_item","vault_id":"v_1","item_id":"it_1","patch":\#(members)}"#
        return try #require(AskBody(reading: Array(body.utf8), by: caller).patch)
    }

    private func text(_ body: SecretBody) -> String {
        body.withBytes { bytes in
            String(
                decoding: (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) },
                as: UTF8.self)
        }
    }

    @Test func `a patch is copied byte for byte, its members sorted by name`() throws {
        let patch = try patch(#"{ "password" : "a\u0041\"\\ €", "\u0063ard_number":"4","notes": ""}"#)
        #expect(patch.names == ["password", "card_number", "notes"])
        #expect(text(patch.body) == #"{"patch":{"card_number":"4","notes":"","password":"a\u0041\"\\ €"}}"#)
        patch.body.wipe()
        #expect(patch.body.count == 0)
    }

    @Test func `the order of a patch's members says nothing, their values do`() async throws {
        let store = try Store(.memory, keyFile: nil)
        let first = await store.fingerprint(of: try patch(#"{"a":"1","b":"2"}"#).body)
        #expect(await store.fingerprint(of: try patch(#"{"b":"2", "a":"1"}"#).body) == first)
        #expect(await store.fingerprint(of: try patch(#"{"a":"2","b":"1"}"#).body) != first)
        #expect(await store.fingerprint(of: try patch(#"{"a":"1"}"#).body) != first)
    }

    @Test func `a patch is as large as MimiKey takes it sealed, and no byte more`() throws {
        let frame = #"{"patch":{"notes":""}}"#.utf8.count
        let value = String(repeating: "x", count: 49_104 - frame)
        #expect(try patch(#"{"notes":"\#(value)"}"#).body.count == 49_104)
        let tooLarge = #"{"op":"update_item","item_id":"it_1","patch":{"notes":"\#(value)x"}}"#
        #expect(refusal(tooLarge)?.code.rawValue == "invalid_patch")
        #expect(refusal(tooLarge)?.status == 400)
    }

    @Test func `a patch has 32 members at most`() throws {
        let members = { (count: Int) in "{" + (1...count).map { #""f\#($0)":"x""# }.joined(separator: ",") + "}" }
        #expect(try patch(members(32)).names.count == 32)
        #expect(refusal(#"{"op":"update_item","item_id":"x","patch":\#(members(33))}"#)?.code == .invalidMember)
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
