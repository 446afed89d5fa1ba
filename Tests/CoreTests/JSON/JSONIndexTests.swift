import Core
import Foundation
import Testing

struct JSONIndexTests {
    @Test func `ranges point at the bytes as they stand`() throws {
        let text = Array(#" {"a" : [ 1, "x\n" , null ], "b":{}} "#.utf8)
        let index = try JSONIndex(validating: text.span)
        func piece(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        #expect(piece(index.range(of: index.root)) == #"{"a" : [ 1, "x\n" , null ], "b":{}}"#)
        let members = index.members(of: index.root)
        #expect(members.map { piece($0.name) } == [#""a""#, #""b""#])
        #expect(members.map { piece(index.range(of: $0.value)) } == [#"[ 1, "x\n" , null ]"#, "{}"])
        let elements = index.elements(of: members[0].value)
        #expect(elements.map { piece(index.range(of: $0)) } == ["1", #""x\n""#, "null"])
        #expect(elements.map { index.kind(of: $0) } == [.number, .string, .null])
    }

    @Test func `a scalar has neither members nor elements`() throws {
        let index = try JSONIndex(validating: Array("1".utf8).span)
        #expect(index.members(of: index.root).isEmpty)
        #expect(index.elements(of: index.root).isEmpty)
        #expect(index.member("a", of: index.root, in: Array("1".utf8).span) == nil)
    }

    @Test func `an array has no members and an object no elements`() throws {
        let document = try JSONDocument(Array(#"[{"a":1},[2]]"#.utf8))
        #expect(document.root.members.isEmpty)
        #expect(document.root.elements[0].elements.isEmpty)
        #expect(document.root.elements[1].members.isEmpty)
    }

    @Test(arguments: [#"{"item":1}"#, #"{"\u0069tem":1}"#, #"{"x":[{"item":2}],"\u0069\u0074\u0065\u006D":1}"#])
    func `a member is found however its name is spelled`(text: String) throws {
        #expect(try JSONDocument(Array(text.utf8)).root["item"]?.integer == 1)
    }

    @Test(arguments: ["ite", "items", "Item", "", "item\u{0}", "\"item\""])
    func `a member is found by its whole name only`(name: String) throws {
        #expect(try JSONDocument(Array(#"{"item":1}"#.utf8)).root[name] == nil)
    }

    @Test func `names that only look alike are different names`() throws {
        let root = try JSONDocument(Array("{\"e\u{301}\":1,\"\u{e9}\":2}".utf8)).root
        #expect(root["e\u{301}"]?.integer == 1)
        #expect(root["\u{e9}"]?.integer == 2)
    }

    @Test(arguments: [
        "[", #"{"a":"#, "[[],", #"[{"a":["#,
    ])
    func `PR-01 deep nesting is refused without depth of its own`(unit: String) async throws {
        for count in [65, 512, 100_000] {
            let text = Array(String(repeating: unit, count: count).utf8)
            let code = await onSmallStack { () -> ErrorCode? in
                do throws(JSONError) {
                    _ = try JSONDocument(text)
                    return nil
                } catch { return error.code }
            }
            #expect(code == .jsonLimit, "\(count) times")
        }
    }

    @Test func `PR-01 nesting beyond the standard limit is walked without recursion`() async throws {
        let depth = 100_000
        let text = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        let accepted = await onSmallStack {
            (try? JSONDocument(text, limits: JSONLimits(depth: depth, members: depth)))?.root.raw.count
        }
        #expect(accepted == 2 * depth)
    }

    /// Runs on a thread with a stack of 64 KiB, an eighth of what a cooperative thread has.
    private func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 64 << 10
            thread.start()
        }
    }
}
