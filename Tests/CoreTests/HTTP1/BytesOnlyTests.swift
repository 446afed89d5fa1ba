import Core
import Foundation
import Testing

/// CR LF is one `Character`, and so are many other pairs of bytes: code that looks at heads by `Character` reads other heads
/// than its peer does. So what reads them may turn bytes into a `String` once they are checked, and look at bytes alone.
struct BytesOnlyTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Core").standardizedFileURL

    /// What reads a head: the codec, and what it reads parts of a head with.
    private static func readers() throws -> [(name: String, text: String)] {
        let codec = try FileManager.default.contentsOfDirectory(atPath: sources.appending(path: "HTTP1").path)
            .filter { $0 != "HTTP1Encoder.swift" }.map { "HTTP1/" + $0 }
        let parts = [
            "HTTP/FieldValueScanner.swift", "HTTP/HTTPFields.swift", "HTTP/MessageHead+connection.swift",
            "HTTP/PercentEncoding.swift", "Address/Authority.swift",
        ]
        return try (codec + parts).sorted().map { name in
            (name, try String(contentsOf: sources.appending(path: name), encoding: .utf8))
        }
    }

    /// Lines that look at text instead of bytes. Comments and the texts of errors do not count.
    private static func offences(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { line in
            let code =
                line.replacing(#/UInt8\(ascii: "[^"]*"\)/#, with: "0").replacing(#/"(?:\\.|[^"\\])*"/#, with: "\"\"")
                .replacing(#/\/\/.*/#, with: "")
            let isText =
                #/\bCharacter\b|\bSubstring\b|\.characters\b|\bString\.Index\b|\.unicodeScalars\b|hasPrefix|hasSuffix|lowercased|uppercased|isWhitespace|isNewline|isLetter\b|isNumber\b|trimming|components\(|range\(of|Regex|localized/#
                .wordBoundaryKind(.simple)
            let isLiteralSought = #/(?:split|firstIndex|lastIndex|contains|drop|prefix)\([^)]*""/#.wordBoundaryKind(
                .simple)
            let isOtherString = #/\bString\((?!decoding:|validating:)/#.wordBoundaryKind(.simple)
            return code.contains(isText) || code.contains(isLiteralSought) || code.contains(isOtherString)
        }
    }

    @Test func `H1-45 what reads heads looks at bytes alone`() throws {
        let readers = try Self.readers()
        #expect(readers.count >= 17)
        for reader in readers { #expect(Self.offences(reader.text) == [], "\(reader.name)") }
    }

    @Test(arguments: [
        #"let lines = head.split(separator: "\r\n")"#, #"if name.lowercased() == "host" {"#,
        "for character: Character in line {", #"guard line.hasPrefix("GET ") else { return }"#,
        "let text = String(describing: line)", "let value = Int(String(bytes))", "head.contains(\"\\n\")",
        "line.unicodeScalars.first", "value.trimmingCharacters(in: .whitespaces)",
    ])
    func `H1-45 a line that looks at text is found`(_ line: String) {
        #expect(Self.offences("    \(line)\n") == ["    \(line)"])
    }

    @Test func `H1-45 a line feed hidden in a Character is found`() throws {
        // As `Character`s none of these holds a line feed of its own.
        for hidden in ["A: b\r\nHost", "A: \r\n\u{301}b", "A: b\n\u{200D}"] {
            var decoder = HTTP1RequestDecoder()
            decoder.append(Array("GET / HTTP/1.1\r\nHost: a\r\n\(hidden)\r\n\r\n".utf8).span)
            #expect(throws: HTTP1DecodeError.self) { while try decoder.next() != nil {} }
        }
    }
}
