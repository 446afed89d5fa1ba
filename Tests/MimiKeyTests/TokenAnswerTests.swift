import Core
import Strongbox
import Testing

@testable import MimiKey

struct TokenAnswerTests {
    private func body(_ more: String) -> [UInt8] {
        Array(#"{"access_token":"a","refresh_token":"r"\#(more.isEmpty ? "" : ",")\#(more)}"#.utf8)
    }

    private func lifetime(_ member: String) throws -> Duration {
        try TokenAnswer(reading: body(member)).lifetime
    }

    private func isMalformed(_ text: [UInt8]) -> Bool {
        do throws(Problem) {
            _ = try TokenAnswer(reading: text)
            return false
        } catch {
            return error.code == .malformedResponse
        }
    }

    @Test(
        arguments: [
            ("", 3600), (#""expires_in":0"#, 60), (#""expires_in":-5"#, 60), (#""expires_in":"3600""#, 3600),
            (#""expires_in":1000000000000"#, 2_592_000), (#""expires_in":1e12"#, 3600), (#""expires_in":90"#, 90),
            (#""expires_in":null"#, 3600), (#""expires_in":[]"#, 3600),
        ] as [(String, Int64)])
    func `TK-15 lifetimes are clamped to 60 s and 30 d`(_ member: String, _ seconds: Int64) throws {
        #expect(try lifetime(member) == .seconds(seconds))
    }

    @Test func `unknown members are ignored and grant, vaults and type may be absent`() throws {
        let answer = try TokenAnswer(reading: body(#""scope":"x","nested":{"a":[]}"#))
        #expect(answer.vaults == nil)
        #expect(answer.grantID == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"access_token":"a"}"#, #"{"refresh_token":"r"}"#, #"{"access_token":5,"refresh_token":"r"}"#,
        #"{"access_token":"","refresh_token":"r"}"#, #"{"access_token":"a b","refresh_token":"r"}"#,
        #"{"access_token":"a\r\nx: y","refresh_token":"r"}"#, #"{"access_token":"a","refresh_token":""}"#,
        #"{"access_token":"a","refresh_token":"r","token_type":"mac"}"#,
        #"{"access_token":"a","refresh_token":"r","grant_id":"a/../b"}"#,
        #"{"access_token":"a","access_token":"b","refresh_token":"r"}"#, #"{"access_token":"a","refresh_token":"r"}x"#,
    ])
    func `what has no usable tokens is malformed`(_ text: String) {
        #expect(isMalformed(Array(text.utf8)))
    }

    @Test func `vaults take the policy of the top level when they have none`() throws {
        let answer = try TokenAnswer(
            reading: body(
                #""policy":"trust","vaults":[{"id":"v1","name":"A","mode":1},{"id":"v2","policy":"ask"},{"id":"v3","mode":2}]"#
            ))
        #expect(
            answer.vaults == [
                Vault(id: "v1", name: "A", policy: .trust), Vault(id: "v2", name: "v2", policy: .ask),
            ])
    }

    @Test func `a vault without any policy is one that asks`() throws {
        #expect(try TokenAnswer(reading: body(#""vaults":[{"id":"v1","name":"A"}]"#)).vaults?.first?.policy == .ask)
    }

    @Test(arguments: [
        #"[]"#, #"{}"#, #"[{"name":"A"}]"#, #"[{"id":"v1"},{"id":"v1"}]"#, #"[{"id":"v1","policy":"maybe"}]"#,
        #"[{"id":"v1","mode":2}]"#, "[\((1...33).map { #"{"id":"v\#($0)"}"# }.joined(separator: ","))]",
    ])
    func `none, more than 32, duplicate and unreadable vaults are malformed`(_ vaults: String) {
        #expect(isMalformed(body(#""vaults":\#(vaults)"#)))
    }
}
