extension JSON {
    /// What is left to write.
    private enum Part {
        case value(JSON)
        case byte(UInt8)
        case name(String)
    }

    /// The text, UTF-8, without white space. Escaped is only what must be (RFC 8259, section 7): a slash stays a slash.
    package func encoded() -> [UInt8] {
        var text: [UInt8] = []
        var parts = [Part.value(self)]
        while let part = parts.popLast() {
            switch part {
            case .byte(let byte): text.append(byte)
            case .name(let name):
                JSON.append(quoting: name, to: &text)
                text.append(UInt8(ascii: ":"))
            case .value(.null): text += "null".utf8
            case .value(.bool(let value)): text += (value ? "true" : "false").utf8
            case .value(.integer(let value)): text += String(value).utf8
            case .value(.string(let value)): JSON.append(quoting: value, to: &text)
            case .value(.array(let elements)):
                text.append(UInt8(ascii: "["))
                parts.append(.byte(UInt8(ascii: "]")))
                for (index, element) in elements.enumerated().reversed() {
                    parts.append(.value(element))
                    if index > 0 { parts.append(.byte(UInt8(ascii: ","))) }
                }
            case .value(.object(let members)):
                text.append(UInt8(ascii: "{"))
                parts.append(.byte(UInt8(ascii: "}")))
                for (index, member) in members.enumerated().reversed() {
                    parts.append(.value(member.value))
                    parts.append(.name(member.name))
                    if index > 0 { parts.append(.byte(UInt8(ascii: ","))) }
                }
            }
        }
        return text
    }

    private static func append(quoting string: String, to text: inout [UInt8]) {
        append(quotingUTF8: string.utf8, to: &text)
    }

    /// Appends a string whose bytes are UTF-8 already: what is secret never becomes a `String`.
    package static func append(quotingUTF8 bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): text += #"\""#.utf8
            case UInt8(ascii: "\\"): text += #"\\"#.utf8
            case 0x08: text += #"\b"#.utf8
            case 0x09: text += #"\t"#.utf8
            case 0x0A: text += #"\n"#.utf8
            case 0x0C: text += #"\f"#.utf8
            case 0x0D: text += #"\r"#.utf8
            case ..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                text += #"\u00"#.utf8
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 0x0F)])
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
