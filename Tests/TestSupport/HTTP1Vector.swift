package import Core
import Foundation

/// One file of `Tests/CoreTests/Vectors/http1`; its README says how it is written.
package struct HTTP1Vector: Sendable {
    package enum Role: Hashable, Sendable {
        case request
        case response(to: [HTTPMethod])
    }

    /// What is wrong with a file.
    package struct Malformed: Error {
        package let file: String
        package let line: String
    }

    package let name: String
    package private(set) var role: Role
    package private(set) var bytes: [UInt8] = []
    /// The ids of the lines that it helps to hold.
    package private(set) var ids: [String] = []
    package private(set) var closes = false
    /// The events before the end, when the file gives them.
    package private(set) var expected: [String]?

    /// `accept`, `wait`, `refuse` or a status.
    package var verdict: String { String(name.split(separator: ".").dropLast().last ?? "") }

    /// All files, in the order of their names.
    package static func load() throws -> [HTTP1Vector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../CoreTests/Vectors/http1").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".http") }.sorted()
            .map { name in
                let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
                return try HTTP1Vector(name: name, text: text)
            }
    }

    init(name: String, text: String) throws {
        self.name = name
        role = name.hasPrefix("response") ? .response(to: [.get]) : .request
        var isPastDirectives = false
        for line in text.split(separator: "\n") {
            if expected != nil {
                expected?.append(String(line))
            } else if line == "---" {
                expected = []
            } else if !isPastDirectives, line.hasPrefix("#") || line.hasPrefix("@") {
                if line.hasPrefix("@") { try obey(line.dropFirst().split(separator: " ").map(String.init)) }
            } else {
                isPastDirectives = true
                guard let unescaped = EscapedBytes.unescape(line) else {
                    throw Malformed(file: name, line: String(line))
                }
                bytes += unescaped
            }
        }
    }

    private mutating func obey(_ words: [String]) throws {
        switch words.first {
        case "ids": ids = Array(words.dropFirst())
        case "answers": role = .response(to: words.dropFirst().map(HTTPMethod.init(name:)))
        case "closed": closes = true
        default: throw Malformed(file: name, line: words.joined(separator: " "))
        }
    }
}
