import Core
import Testing

struct PreferenceTests {
    private func fields(_ lines: [String]) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines { fields.append("prefer", line) }
        return fields
    }

    @Test(
        arguments: [
            ([], nil), ([""], nil), (["respond-async"], nil), (["wait=20"], 20), (["wait=0"], 0), (["WAIT=20"], 20),
            (["wait=007"], 7), (["wait = 20"], 20), ([#"wait="20""#], 20), ([#"wait="2\0""#], 20),
            (["respond-async, wait=20"], 20), (["wait=20, respond-async"], 20), (["wait=20;foo=bar; baz"], 20),
            (["wait=20 ; ; x"], 20), ([",, wait=20 ,"], 20), (["handling=lenient", "wait=20"], 20),
            (["wait=20", "handling=lenient"], 20), (["wait=5, wait=9"], 5), (["wait=5", "wait=9"], 5),
            ([#"x="wait=3, wait=4", wait=20"#], 20), (["foo; wait=9"], nil), (["waiting=9"], nil), (["x=\"\""], nil),
            (["wait=99999999999999999999999999"], 999_999_999),
        ] as [([String], Int?)])
    func `the wait is read, the rest is ignored`(lines: [String], expected: Int?) throws {
        #expect(try Preference.wait(in: fields(lines)) == expected)
    }

    @Test(arguments: [
        ["wait"], ["wait="], [#"wait="""#], ["wait=-1"], ["wait=+1"], ["wait=1.5"], ["wait=1e3"], ["wait=0x10"],
        ["wait=20s"], ["wait=20 30"], ["wait=٣"], ["wait=\"20"], ["=20"], ["wait=20 x"], ["a b"], ["x=\"\u{1}\""],
        ["wait=5", "wait=x"], ["x", "wait=x"], ["@"], ["wait=20;="], ["x=y=z"],
    ])
    func `a wait that is no number is an error`(lines: [String]) {
        let problem = #expect(throws: Problem.self) { try Preference.wait(in: fields(lines)) }
        #expect(problem?.code == .invalidPreference)
    }
}
