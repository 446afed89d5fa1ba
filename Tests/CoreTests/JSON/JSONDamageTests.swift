import Core
import Foundation
import Testing

/// Accepted texts, damaged at random: whatever is still accepted says the same to Foundation, and what only we refuse
/// is refused for a reason that is known. Left out is where Foundation is wrong: it drops U+FEFF at the start of a
/// string and takes a NUL for a sign of UTF-16.
struct JSONDamageTests {
    @Test(arguments: 0..<20)
    func `R7 damaged texts are refused or mean the same to another reader`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let files = VectorFile.all(in: "json", verdict: "accept").filter {
            $0.bytes.count < 200 && !$0.bytes.contains(0xEF)
        }
        for _ in 0..<200 {
            let text = damaged(try #require(files.randomElement(using: &random)).bytes, &random)
            let other = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
            do throws(JSONError) {
                let document = try JSONDocument(text)
                // A number beyond `Double` is JSON, but not to Foundation.
                if other == nil, hasHugeNumber(document.root) { continue }
                let agrees = other.map { agree(document.root, $0) } ?? false
                #expect(agrees, "accepted, and read differently: \(text)")
            } catch {
                if other != nil, !text.contains(0) {
                    #expect(Self.ours.contains(error.detail), "\(error.detail) \(text)")
                }
            }
        }
    }

    /// The first line is Foundation's leniency, the others our strictness.
    private static let ours: Set<String> = [
        "Nothing follows a comma.",
        "A member name stands twice in one object.", "A string holds U+0000.", "A string holds a lone surrogate.",
        "The text begins with a byte order mark.", "The nesting is too deep.", "A number is too long.",
    ]

    private func hasHugeNumber(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .number: Double(String(decoding: value.raw, as: UTF8.self))?.isInfinite ?? true
        case .object: value.members.contains { hasHugeNumber($0.value) }
        case .array: value.elements.contains(where: hasHugeNumber)
        case .string, .bool, .null: false
        }
    }

    private func damaged(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var text = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...text.count, using: &random)
            let pieces = [
                "\"", "\\", "{", "}", "[", "]", ",", ":", "1", "e", "-", ".", "null", "\\u", "\\ud83d", " ", "a",
            ]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
            case 1: text.insert(.random(in: 0...255, using: &random), at: place)
            case 2 where place < text.count: text.remove(at: place)
            case 3 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: break
            }
        }
        return text
    }
}
