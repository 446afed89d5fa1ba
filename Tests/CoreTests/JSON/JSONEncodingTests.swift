import Core
import Testing

struct JSONEncodingTests {
    private func text(_ value: JSON) -> String { String(decoding: value.encoded(), as: UTF8.self) }

    @Test func `values are written without white space, members in order`() {
        let value: JSON = ["z": 1, "a": [nil, true, false, -5, "x", [], [:]], "m": ["n": "o"]]
        #expect(text(value) == #"{"z":1,"a":[null,true,false,-5,"x",[],{}],"m":{"n":"o"}}"#)
        #expect(text(.integer(.min)) == "-9223372036854775808")
        #expect(text(.text(nil)) == "null")
    }

    @Test(arguments: [
        ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#), ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#),
        ("\u{0}", #""\u0000""#),
        ("\u{1b}\u{1f}", #""\u001b\u001f""#), ("\r\n", #""\r\n""#), ("\u{7f}é€😀\u{2028}", "\"\u{7f}é€😀\u{2028}\""),
    ])
    func `only what must be is escaped`(given: String, expected: String) {
        #expect(text(.string(given)) == expected)
        #expect(text(.object([.init(given, 1)])) == "{\(expected):1}")
    }

    @Test(arguments: 0..<200)
    func `what is written is read back`(round: UInt64) throws {
        // The seed stands in the arguments of the test, which a failure prints.
        var random = SplitMix(seed: round)
        let value = randomValue(depth: 0, &random)
        let document = try JSONDocument(value.encoded())
        #expect(rebuilt(document.root) == value)
    }

    @Test func `S090 what is as deep as the limit is written and read back`() throws {
        var value: JSON = 1
        for _ in 0..<64 { value = [value] }
        #expect(rebuilt(try JSONDocument(value.encoded()).root) == value)
    }

    private func rebuilt(_ value: JSONValue) -> JSON {
        switch value.kind {
        case .null: .null
        case .bool: .bool(value.bool ?? false)
        case .number: .integer(value.integer ?? 0)
        case .string: .string(value.string ?? "")
        case .array: .array(value.elements.map(rebuilt))
        case .object: .object(value.members.map { .init($0.name, rebuilt($0.value)) })
        }
    }

    private func randomValue(depth: Int, _ random: inout SplitMix) -> JSON {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(.random(in: .min ... .max, using: &random))
        case 3: return .string(randomText(&random))
        case 4:
            return .array(
                (0..<Int.random(in: 0..<6, using: &random)).map { _ in randomValue(depth: depth + 1, &random) })
        default:
            return .object(
                (0..<Int.random(in: 0..<6, using: &random)).map { index in
                    .init("\(index)" + randomText(&random), randomValue(depth: depth + 1, &random))
                })
        }
    }

    /// Any scalar but U+0000, the awkward ones more often.
    private func randomText(_ random: inout SplitMix) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
            let highest: UInt32 = [0x20, 0x80, 0x800, 0xFFFF, 0x10FFFF].randomElement(using: &random) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 1...highest, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}

/// A small generator that gives the same numbers for the same seed (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
