import Core
import Testing

/// The sizes of `JSONLimits` from both sides, for what is too long for a file.
struct JSONLimitsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: [UInt8]

        init(_ name: String, _ text: String) {
            testDescription = name
            self.text = Array(text.utf8)
        }
    }

    static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }

    @Test(arguments: [
        Case("a string of 256 KiB", "\"\(String(repeating: "s", count: 256 << 10))\""),
        Case("10,000 elements", "[\(list(10_000) { _ in "0" })]"),
        Case("10,000 members", "{\(list(10_000) { "\"\($0)\":0" })}"),
        Case("10,000 spread", "[\(list(5_000) { _ in "[0]" })]"),
        Case("a name of 256 bytes", "{\"\(String(repeating: "n", count: 256))\":0}"),
        Case("a number of 64 characters", String(repeating: "9", count: 64)),
    ])
    func `what is exactly as large as a limit is accepted`(given: Case) throws {
        _ = try JSONDocument(given.text)
    }

    @Test(arguments: [
        Case("a string of 256 KiB and 1", "\"\(String(repeating: "s", count: 256 << 10 + 1))\""),
        Case("a string that an escape makes too long", "\"\(String(repeating: "s", count: 256 << 10 - 1))\\n\""),
        Case("a string that a character makes too long", "\"\(String(repeating: "s", count: 256 << 10 - 1))é\""),
        Case("10,001 elements", "[\(list(10_001) { _ in "0" })]"),
        Case("10,001 members", "{\(list(10_001) { "\"\($0)\":0" })}"),
        Case("10,002 spread", "[\(list(5_001) { _ in "[0]" })]"),
        Case("a name of 257 bytes", "{\"\(String(repeating: "n", count: 257))\":0}"),
        Case("a number of 65 characters", String(repeating: "9", count: 65)),
    ])
    func `what is larger than a limit is refused as such`(given: Case) {
        #expect(throws: JSONError.self) { try JSONDocument(given.text) }
        do throws(JSONError) { _ = try JSONDocument(given.text) } catch { #expect(error.code == .jsonLimit) }
    }

    @Test func `white space costs no limit`() throws {
        let space = String(repeating: " \n", count: 512 << 10)
        #expect(try JSONDocument(Array((space + "{}" + space).utf8)).root.kind == .object)
    }

    @Test func `PR-07 white space alone is refused however long it is`() {
        #expect(throws: JSONError.self) { try JSONDocument([UInt8](repeating: 0x20, count: 1 << 20)) }
    }

    @Test func `an error quotes nothing of the text`() {
        for text in [#"{"hunter2":1,"hunter2":2}"#, #"{"a":"hunter2\ud800"}"#, "hunter2", #"["hunter2" x]"#] {
            do throws(JSONError) {
                _ = try JSONDocument(Array(text.utf8))
                Issue.record("accepted")
            } catch { #expect(!"\(error)".contains("hunter2")) }
        }
    }
}
