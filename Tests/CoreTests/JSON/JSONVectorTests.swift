import Core
import Foundation
import Testing

/// The files of `Vectors/json`: what is accepted is read as Foundation reads it, the rest is refused with its code.
struct JSONVectorTests {
    @Test(arguments: VectorFile.all(in: "json", verdict: "accept"))
    func `an accepted text says the same to another reader`(file: VectorFile) throws {
        let document = try JSONDocument(file.bytes)
        let other = try JSONSerialization.jsonObject(with: Data(file.bytes), options: .fragmentsAllowed)
        #expect(agree(document.root, other))
    }

    @Test(arguments: VectorFile.all(in: "json", verdict: "refuse"))
    func `PR-02 PR-05 PR-06 PR-07 a refused text is refused with its code`(file: VectorFile) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(file.bytes) }
        #expect(error?.code == (file.subject == "limit" ? .jsonLimit : .invalidJSON))
        #expect((0...file.bytes.count).contains(error?.offset ?? -1))
    }

    @Test func `every vector carries a verdict`() {
        let files = VectorFile.all(in: "json")
        #expect(files.count > 200)
        for file in files { #expect(["accept", "refuse"].contains(file.verdict), "\(file.name)") }
    }

    @Test(arguments: VectorFile.all(in: "json", verdict: "accept"))
    func `an accepted text that is cut anywhere is refused`(file: VectorFile) throws {
        guard try JSONDocument(file.bytes).root.kind != .number else { return }
        let end = file.bytes.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? 0
        for length in 0..<end {
            #expect(throws: JSONError.self) { try JSONDocument(Array(file.bytes[..<length])) }
        }
    }

    /// Numbers are compared as `Double`, less its last bit: Foundation keeps no more of the long ones.
    private func agree(_ value: JSONValue, _ other: Any) -> Bool {
        switch value.kind {
        case .object:
            guard let object = other as? [String: Any], object.count == value.members.count else { return false }
            return value.members.allSatisfy { member in
                object[member.name].map { agree(member.value, $0) } ?? false
            }
        case .array:
            guard let array = other as? [Any], array.count == value.elements.count else { return false }
            return zip(value.elements, array).allSatisfy { agree($0, $1) }
        case .string:
            guard let text = other as? String, let own = value.string else { return false }
            return Array(own.utf8) == Array(text.utf8)
        case .number:
            let text = String(decoding: value.raw, as: UTF8.self)
            guard let number = other as? NSNumber, let double = Double(text) else { return false }
            return abs(number.doubleValue - double) <= abs(double) * 1e-15
        case .bool: return (other as? Bool) == value.bool
        case .null: return other is NSNull
        }
    }
}
