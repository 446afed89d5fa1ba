import Foundation
import Testing

/// `docs/life-of-a-request.md` names files, types and functions; each of them has to be there.
@Suite struct LifeOfARequestTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func document() throws -> String {
        try String(contentsOf: root.appending(path: "docs/life-of-a-request.md"), encoding: .utf8)
    }

    /// Whatever stands behind one of these words in the source.
    private static func declared(by keywords: Set<Substring>) throws -> Set<String> {
        let sources = root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let words = try String(contentsOf: file, encoding: .utf8).split { !$0.isLetter && !$0.isNumber }
            for (keyword, name) in zip(words, words.dropFirst()) where keywords.contains(keyword) {
                names.insert(String(name))
            }
        }
        return names
    }

    @Test func `every file that it names is there`() throws {
        let files = try Self.document().matches(of: /`(Sources\/[^`]+)`/).map { String($0.1) }
        #expect(files.count > 20)
        for file in files {
            #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: file).path), "\(file)")
        }
    }

    @Test func `every type and function that it names is there`() throws {
        let types = try Self.declared(by: ["struct", "class", "enum", "actor", "protocol", "typealias"])
        let functions = try Self.declared(by: ["func"])
        let names = try Self.document().matches(of: /`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\.([a-z][A-Za-z0-9]*))?`/)
        #expect(names.count > 20)
        // Fields of HTTP are no types.
        for name in names where !["Host", "Prefer", "String"].contains(name.1) {
            #expect(types.contains(String(name.1)), "\(name.1)")
            if let function = name.2 { #expect(functions.contains(String(function)), "\(name.1).\(function)") }
        }
    }
}
