import Foundation
import Testing

/// One file of `BadInput`; its README says how it is written.
struct BadInput: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String

    var kind: Substring { name.prefix { $0 != "." } }
    var testDescription: String { name }

    private var firstLine: Substring { text.prefix { $0 != "\n" } }
    /// What stands after `expect:`.
    var expectation: [Substring] {
        firstLine.drop { $0 != ":" }.dropFirst().split(separator: " ")
    }

    /// What stands after the first blank line, without the ends of its lines.
    var payload: Substring {
        guard let blank = text.range(of: "\n\n") else { return "" }
        return Substring(text[blank.upperBound...].replacing("\n", with: ""))
    }

    func expects(status: Int) -> Bool {
        guard let pattern = expectation.first else { return false }
        return pattern.split(separator: "/").contains { alternative in
            alternative.hasSuffix("xx") ? alternative.first == "\(status)".first : alternative == "\(status)"
        }
    }

    func expects(code: String) -> Bool {
        expectation.dropFirst().first?.split(separator: "|").contains { $0 == code } ?? false
    }

    static let all: [BadInput] = {
        guard let folder = Bundle.module.url(forResource: "BadInput", withExtension: nil),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return names.sorted().filter { $0.hasSuffix(".txt") || $0.hasSuffix(".yaml") }.compactMap { name in
            let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return text.map { BadInput(name: name, text: $0) }
        }
    }()

    static func all(_ kinds: Substring...) -> [BadInput] { all.filter { kinds.contains($0.kind) } }
}
