import Foundation
import Testing

/// The files of one folder of `Vectors`, each named `<subject>.<case>.<verdict>.<extension>`.
struct VectorFile: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    private var parts: [Substring] { name.split(separator: ".") }
    var subject: String { String(parts.first ?? "") }
    var verdict: String { parts.count >= 4 ? String(parts[parts.count - 2]) : "" }
    var testDescription: String { name }

    /// An empty list is a fault of the set-up, so it is recorded as one.
    static func all(in folder: String, verdict: String? = nil) -> [VectorFile] {
        guard let root = Bundle.module.url(forResource: "Vectors", withExtension: nil),
            let urls = try? FileManager.default.contentsOfDirectory(
                at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        else {
            Issue.record("there is no folder of vectors: \(folder)")
            return []
        }
        return urls.filter { !$0.lastPathComponent.hasPrefix(".") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { url in
                guard let data = try? Data(contentsOf: url) else { return nil }
                return VectorFile(name: url.lastPathComponent, bytes: Array(data))
            }
            .filter { verdict == nil || $0.verdict == verdict }
    }
}
