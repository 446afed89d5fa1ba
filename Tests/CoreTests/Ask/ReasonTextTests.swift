import Core
import Testing

struct ReasonTextTests {
    private func card(_ claim: String?, caller: String = "agent", uid: UInt32? = nil) throws -> String {
        ReasonText.card(caller: try #require(CallerName(caller)), uid: uid, claim: claim)
    }

    @Test func `the card begins with what we know and marks the rest as a claim`() throws {
        #expect(try card("reconcile") == #"agent (verified by Countersign) says: "reconcile""#)
        #expect(try card("für Müller 日本 😀 é") == #"agent (verified by Countersign) says: "für Müller 日本 😀 é""#)
    }

    @Test func `a caller on a socket is known with its user`() throws {
        #expect(try card("x", uid: 1001) == #"agent (uid 1001, verified by Countersign) says: "x""#)
        #expect(try card(nil, uid: 0) == "agent (uid 0, verified by Countersign) gives no reason.")
        let long = try card(
            String(repeating: "x", count: 1000), caller: String(repeating: "c", count: 64), uid: .max)
        #expect(long.unicodeScalars.count == 500)
        #expect(long.hasPrefix(String(repeating: "c", count: 64) + " (uid 4294967295, verified by Countersign) says: "))
    }

    @Test(arguments: [nil, ""] as [String?])
    func `the card says so when there is no reason`(claim: String?) throws {
        #expect(try card(claim) == "agent (verified by Countersign) gives no reason.")
    }

    @Test(arguments: [
        (#"x" bank (verified by Countersign) says: "y"#, #"x\" bank (verified by Countersign) says: \"y"#),
        (#"\"#, #"\\"#), (#"\u{202E}"#, #"\\u{202E}"#),
    ])
    func `a claim cannot leave its quotes`(claim: String, shown: String) throws {
        #expect(try card(claim) == "agent (verified by Countersign) says: \"\(shown)\"")
    }

    @Test(
        arguments: [
            0x00, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x1B, 0x7F, 0x85, 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B, 0x200C,
            0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2064, 0x2066,
            0x2067, 0x2068, 0x2069, 0x206A, 0x3164, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xE000, 0xFFFF, 0xE0041, 0xE0100,
            0x10FFFF,
        ] as [UInt32])
    func `what has no shape of its own is shown escaped`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let escape = "\\u{\(String(value, radix: 16, uppercase: true))}"
        #expect(try card("a\(scalar)b") == "agent (verified by Countersign) says: \"a\(escape)b\"")
    }

    @Test func `the text has at most 500 scalars and the claim ends in an ellipsis`() throws {
        let opening = #"agent (verified by Countersign) says: ""#
        let room = 500 - opening.count - 1
        let whole = try card(String(repeating: "x", count: room))
        #expect(whole == opening + String(repeating: "x", count: room) + "\"")
        let cut = try card(String(repeating: "x", count: room + 1))
        #expect(cut == opening + String(repeating: "x", count: room - 1) + "…\"")
    }

    @Test(arguments: 0..<12, ["\u{202E}", "\"", "e\u{301}", "😀"])
    func `the text is never too long and no escape is cut`(offset: Int, unit: String) throws {
        let claim = String(repeating: "x", count: offset) + String(repeating: unit, count: 100_000)
        let text = try card(claim, caller: String(repeating: "c", count: 64))
        #expect((490...500).contains(text.unicodeScalars.count))
        #expect(text.hasPrefix(String(repeating: "c", count: 64) + " (verified by Countersign) says: \""))
        #expect(text.hasSuffix("…\""))
        let body = text.dropLast(2)
        if unit == "\"" { #expect(body.hasSuffix(#"\""#) || body.hasSuffix("x")) }
        if unit == "\u{202E}" { #expect(body.hasSuffix("}")) }
    }
}
