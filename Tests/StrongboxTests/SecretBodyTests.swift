import Core
import Testing

@testable import Strongbox

struct SecretBodyTests {
    private func body(_ text: String) -> SecretBody { SecretBody(copying: Array(text.utf8).span.bytes) }

    @Test func `An answer is put together from literals and ranges`() {
        let source = body("0123456789")
        let answer = SecretBody(
            assembling: [.literal(Array("<".utf8)), .range(2..<5), .literal([]), .range(9..<10), .range(0..<0)],
            from: source)
        #expect(answer.copied == Array("<2349".utf8))
        #expect(source.copied == Array("0123456789".utf8))
    }

    @Test func `An answer can be put together while its source is read`() {
        let source = body("abc")
        let copied = source.withBytes { _ in SecretBody(assembling: [.range(1..<3)], from: source).copied }
        #expect(copied == Array("bc".utf8))
    }

    @Test func `A wiped body is empty, and its memory is zero`() {
        let secret = body("abc")
        let memory = secret.withBytes { $0.withUnsafeBytes { UnsafeRawPointer($0.baseAddress!) } }
        secret.wipe()
        secret.wipe()
        #expect(secret.count == 0)
        #expect(secret.copied == [])
        #expect(UnsafeRawBufferPointer(start: memory, count: 3).allSatisfy { $0 == 0 })
    }

    @Test func `A wipe waits for whoever reads`() {
        let secret = body("abc")
        secret.withBytes { bytes in
            secret.wipe()
            #expect(secret.count == 0)
            #expect(bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == UInt8(ascii: "a"))
            #expect(secret.copied == [])
        }
        #expect(secret.copied == [])
    }
}
