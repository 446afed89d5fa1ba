import Core
import Testing

struct JSONDocumentTests {
    private func root(_ text: String) throws -> JSONValue { try JSONDocument(Array(text.utf8)).root }

    @Test func `values are had by their kind only`() throws {
        let value = try root(#"{"s":"x","i":7,"t":true,"f":false,"n":null,"o":{},"a":[1,2]}"#)
        #expect(value["s"]?.string == "x")
        #expect(value["i"]?.integer == 7)
        #expect(value["t"]?.bool == true)
        #expect(value["f"]?.bool == false)
        #expect(value["n"]?.isNull == true)
        #expect(value["a"]?.elements.map(\.integer) == [1, 2])
        for name in ["i", "t", "n", "o", "a"] { #expect(value[name]?.string == nil) }
        for name in ["s", "t", "n", "o", "a"] { #expect(value[name]?.integer == nil) }
        for name in ["s", "i", "n", "o", "a"] { #expect(value[name]?.bool == nil) }
        for name in ["s", "i", "t", "f", "o", "a"] { #expect(value[name]?.isNull == false) }
        #expect(value["missing"] == nil)
        #expect(value.members.map(\.name) == ["s", "i", "t", "f", "n", "o", "a"])
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("42", 42), ("-1", -1), ("9223372036854775807", Int64.max),
        ("-9223372036854775808", Int64.min),
    ])
    func `an integer that fits is an integer`(text: String, expected: Int64) throws {
        #expect(try root(text).integer == expected)
    }

    @Test(arguments: [
        "1.0", "1e0", "1E2", "-0.0", "9223372036854775808", "-9223372036854775809", "1e400", "true", #""1""#,
    ])
    func `any other value is no integer`(text: String) throws {
        #expect(try root(text).integer == nil)
    }

    @Test(arguments: [
        "123456789012345678901234567890", "-9223372036854775809", "0.1000000000000000055511151231257827", "1E+2", "-0",
    ])
    func `PR-04 a number keeps its digits`(text: String) throws {
        let value = try root(#"{"n": \#(text) }"#)["n"]
        #expect(value.map { String(decoding: $0.raw, as: UTF8.self) } == text)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20AC\ud83d\ude00""#, "Aé€😀"),
        (#""\udbff\udfff\ud800\udc00""#, "\u{10FFFF}\u{10000}"),
        (#""\u07ff\u0800\uffff\u007f\u0080""#, "\u{7ff}\u{800}\u{ffff}\u{7f}\u{80}"),
        (#""\\u0041""#, #"\u0041"#), (#""""#, ""),
    ])
    func `escapes stand for their characters`(text: String, expected: String) throws {
        #expect(try root(text).string.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
    }

    @Test func `a line separator passes as it stands`() throws {
        #expect(try root("\"\u{2028}\"").string == "\u{2028}")
    }
}
