import Foundation

/// A secret that a test looks for, in every form in which it could turn up.
struct Canary: Sendable {
    /// One way to write it; the bytes stand in nothing else.
    struct Form: Sendable {
        let name: String
        let bytes: [UInt8]
    }

    let name: String
    let forms: [Form]

    /// A token, a password, a code: at least 12 characters, ASCII.
    init(_ name: String, _ text: String) {
        let bytes = Array(text.utf8)
        precondition(bytes.count >= 12, "a short canary sings everywhere")
        self.name = name
        var forms = [
            Form("as it is", bytes),
            Form("percent-escaped", bytes.flatMap { Array(String(format: "%%%02X", $0).utf8) }),
            Form("percent-escaped in lower case", bytes.flatMap { Array(String(format: "%%%02x", $0).utf8) }),
            Form("JSON-escaped", bytes.flatMap { Array(String(format: "\\u%04x", $0).utf8) }),
            Form("JSON-escaped in upper case", bytes.flatMap { Array(String(format: "\\u%04X", $0).utf8) }),
            // Half of it is too much already, and is what a line that was split holds.
            Form("its first half", Array(bytes.prefix(max(12, bytes.count / 2)))),
            Form("its second half", Array(bytes.suffix(max(12, bytes.count / 2)))),
        ]
        let escaped = Array((text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "").utf8)
        if escaped != bytes { forms.append(Form("escaped for a URL", escaped)) }
        self.forms = forms + Self.encodings(of: bytes)
    }

    /// A key: raw bytes.
    init(_ name: String, key bytes: [UInt8]) {
        self.name = name
        forms =
            [
                Form("as it is", bytes), Form("its first half", Array(bytes.prefix(bytes.count / 2))),
                Form("its second half", Array(bytes.suffix(bytes.count / 2))),
            ]
            + Self.encodings(of: bytes)
    }

    private static func encodings(of bytes: [UInt8]) -> [Form] {
        var forms = [
            Form("in hex", bytes.flatMap { Array(String(format: "%02x", $0).utf8) }),
            Form("in upper-case hex", bytes.flatMap { Array(String(format: "%02X", $0).utf8) }),
        ]
        // Three forms, for what may stand before it; without the characters that its neighbours have a part in.
        for shift in 0..<3 {
            let shifted = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
            let first = shift == 0 ? 0 : shift + 1
            let last = (shift + bytes.count) * 8 / 6
            let text = Array(shifted.utf8)[first..<last]
            forms.append(Form("in base64 at \(shift)", Array(text)))
            let other = text.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }
            if other != Array(text) { forms.append(Form("in base64url at \(shift)", other)) }
        }
        return forms
    }
}

extension Canary.Form {
    fileprivate init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
