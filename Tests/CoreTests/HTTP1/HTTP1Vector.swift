import Core
import TestSupport
import Testing

/// One file of `Vectors/http1`; its README says how it is written.
struct HTTP1Vector: Sendable, CustomTestStringConvertible {
    enum Role: Hashable, Sendable {
        case request
        case response(to: [HTTPMethod])
    }

    let name: String
    let verdict: String
    private(set) var role: Role
    private(set) var bytes: [UInt8] = []
    /// The ids of the lines that it helps to hold.
    private(set) var ids: [String] = []
    private(set) var closes = false
    /// The events before the end, when the file gives them.
    private(set) var expected: [String]?

    var testDescription: String { name }

    static let all = VectorFile.all(in: "http1").filter { $0.name.hasSuffix(".http") }.map(HTTP1Vector.init)

    /// An empty list is a mistake in an id, so it is recorded as one.
    static func holding(_ id: String) -> [HTTP1Vector] {
        let found = all.filter { $0.ids.contains(id) }
        if found.isEmpty { Issue.record("no vector holds \(id)") }
        return found
    }

    init(_ file: VectorFile) {
        name = file.name
        verdict = file.verdict
        role = file.subject.hasPrefix("response") ? .response(to: [.get]) : .request
        var isPastDirectives = false
        for line in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n") {
            if expected != nil {
                expected?.append(String(line))
            } else if line == "---" {
                expected = []
            } else if !isPastDirectives, line.hasPrefix("#") || line.hasPrefix("@") {
                if line.hasPrefix("@") { obey(line.dropFirst().split(separator: " ").map(String.init)) }
            } else {
                isPastDirectives = true
                if let unescaped = EscapedBytes.unescape(line) {
                    bytes += unescaped
                } else {
                    Issue.record("\(name) holds an escape that does not exist")
                }
            }
        }
    }

    private mutating func obey(_ words: [String]) {
        switch words.first {
        case "ids": ids = Array(words.dropFirst())
        case "answers": role = .response(to: words.dropFirst().map(HTTPMethod.init(name:)))
        case "closed": closes = true
        default: Issue.record("\(name) holds a directive that does not exist")
        }
    }

    /// What the decoder makes of the bytes when they come in these pieces.
    func outcome(_ pieces: [ArraySlice<UInt8>]) -> HTTP1Outcome {
        switch role {
        case .request: .request(pieces, closes: closes)
        case .response(let methods): .response(pieces, to: methods, closes: closes)
        }
    }

    /// Holds the file to its verdict, whole and split at every byte boundary and into single bytes.
    func check() {
        let whole = outcome([bytes[...]])
        switch whole.end {
        case .accepted: #expect(verdict == "accept", "\(name): \(whole.lines)")
        case .waiting: #expect(verdict == "wait", "\(name): \(whole.lines)")
        case .refused(let error):
            #expect(role == .request ? verdict == "\(error.status)" : verdict == "refuse", "\(name): \(error.detail)")
        }
        if let expected { #expect(whole.lines == expected, "\(name)") }
        for boundary in bytes.indices.dropFirst() {
            let split = outcome([bytes[..<boundary], bytes[boundary...]])
            #expect(split == whole, "\(name), split at \(boundary)")
        }
        #expect(outcome(bytes.indices.map { bytes[$0...$0] }) == whole, "\(name), byte by byte")
    }
}
