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
}
