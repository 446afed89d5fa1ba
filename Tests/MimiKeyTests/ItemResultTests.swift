import Core
import Strongbox
import Testing

@testable import MimiKey

struct ItemResultTests {
    private func body(_ text: String) -> SecretBody {
        SecretBody(assembling: [.literal(Array(text.utf8))], from: SecretBody(assembling: [], from: .empty))
    }

    private func item(record: String) -> String {
        #"{"item":{"id":"it_1","vault_id":"v_1","revision":7,"kind":"login","record":\#(record)}}"#
    }

    private func code(_ text: String) -> ErrorCode? {
        do throws(Problem) {
            _ = try ItemResult(reading: body(text))
            return nil
        } catch { return error.code }
    }

    @Test func `extra members stand in the record under their own names`() throws {
        let result = try ItemResult(reading: body(FakeMimiKey.login))
        #expect(result.names == ["title", "url", "username", "password", "pin"])
        #expect(
            result.facts == ItemFacts(itemID: "it_1", url: "https://bank.example.com", vaultID: "v_1", kind: "login"))
    }

    @Test func `a projection has the chosen members only, byte for byte`() throws {
        let body = body(item(record: #"{ "password" : "a\u0041\"\\ €", "notes":"n", "extra": {"pin":[1, 2.50]} }"#))
        let result = try ItemResult(reading: body)
        let projected = SecretBody(
            assembling: result.projection(to: .only(["password", "pin", "absent"])), from: body)
        #expect(projected.text == item(record: #"{"password":"a\u0041\"\\ €","pin":[1, 2.50]}"#))
    }

    @Test func `nothing chosen leaves an empty record`() throws {
        let body = body(FakeMimiKey.login)
        let projected = SecretBody(
            assembling: try ItemResult(reading: body).projection(to: .only([])), from: body)
        #expect(projected.text == item(record: "{}"))
    }

    @Test func `no segment holds a value of the record as a literal`() throws {
        let segments = try ItemResult(reading: body(FakeMimiKey.login)).projection(to: .all)
        for case .literal(let bytes) in segments {
            #expect(!String(decoding: bytes, as: UTF8.self).contains("hunter2"))
        }
    }

    @Test func `vault and kind may be absent`() throws {
        let result = try ItemResult(reading: body(#"{"item":{"id":"i","revision":-1,"record":{}},"more":0}"#))
        #expect(result.facts == ItemFacts(itemID: "i", url: nil))
        #expect(result.names.isEmpty)
    }

    @Test func `unknown members and an extra that is no object are kept`() throws {
        let result = try ItemResult(reading: body(item(record: #"{"odd":{"a":1},"extra":null}"#)))
        #expect(result.names == ["odd", "extra"])
    }

    @Test(arguments: [
        #"{"pin":"1","extra":{"pin":"2"}}"#, #"{"password":"1","extra":{"p\u0061ssword":"2"}}"#,
        #"{"a":"1","\u0061":"2"}"#, #"{"title":null}"#, #"{"username":5}"#, #"{"notes":[]}"#, "[]", "null",
    ])
    func `two members of one name, and standard members that are no text, are result_malformed`(_ record: String) {
        #expect(code(item(record: record)) == .resultMalformed)
    }

    @Test(arguments: ["7.0", "7e0", #""7""#, "null", "1234567890123456789012"])
    func `a revision that is no integer is result_malformed`(_ revision: String) {
        #expect(code(#"{"item":{"id":"i","revision":\#(revision),"record":{}}}"#) == .resultMalformed)
    }

    @Test(arguments: [#""vault_id":5"#, #""kind":null"#])
    func `vault and kind that are no text are result_malformed`(_ member: String) {
        #expect(code(#"{"item":{"id":"i","revision":1,\#(member),"record":{}}}"#) == .resultMalformed)
    }

    @Test func `SB-05 depth and size beyond the limits are result_malformed`() {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(code(item(record: #"{"a":\#(deep)}"#)) == .resultMalformed)
        #expect(code(item(record: #"{"a\#u{0}":1}"#)) == .resultMalformed)
    }
}

extension SecretBody {
    static let empty = SecretBody(copying: [UInt8]().span.bytes)
}
