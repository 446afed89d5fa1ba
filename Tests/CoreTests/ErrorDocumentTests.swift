import Core
import Foundation
import Testing

/// `docs/errors.md` says for people what `ErrorCatalogue` says for the code.
@Suite struct ErrorDocumentTests {
    private struct Row: Hashable {
        let status: Int
        let title: String
        let isRetryable: Bool
        let nextAction: String
    }

    /// The rows of its tables of codes: six columns, the first of them a code.
    private static func rows() throws -> [(code: String, row: Row)] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/errors.md")
        return try String(contentsOf: file.standardized, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 6, cells[0].hasPrefix("`"), let status = Int(cells[1]) else { return nil }
            let row = Row(
                status: status, title: cells[2], isRetryable: cells[3] == "yes",
                nextAction: cells[4].trimmingCharacters(in: ["`"]))
            return (cells[0].trimmingCharacters(in: ["`"]), row)
        }
    }

    @Test func `every code of the catalogue stands in the document as it is`() throws {
        let documented = Dictionary(try Self.rows().map { ($0.code, $0.row) }, uniquingKeysWith: { first, _ in first })
        for (code, entry) in ErrorCatalogue.entries {
            let row = Row(
                status: entry.status.code, title: entry.title, isRetryable: entry.retryable,
                nextAction: entry.nextAction.rawValue)
            #expect(documented[code.rawValue] == row, "\(code)")
        }
    }

    @Test func `the document knows no other code, and none twice`() throws {
        let codes = try Self.rows().map(\.code)
        #expect(Set(codes) == Set(ErrorCatalogue.entries.keys.map(\.rawValue)))
        #expect(codes.count == Set(codes).count)
    }
}
