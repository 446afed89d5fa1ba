import Strongbox
import Testing

struct DigestTests {
    /// From FIPS 180-4's examples, and the empty text.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 of a published text`(_ text: String, _ digest: String) {
        #expect(SHA256.hex(Array(text.utf8)) == digest)
        #expect(SHA256.digest(Array(text.utf8)).count == 32)
    }

    @Test func `Equal bytes are equal, and others are not`() {
        #expect(ConstantTime.areEqual([], []))
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
    }

    @Test func `SE-15 Random bytes do not repeat`() {
        #expect(Randomness.bytes(0) == [])
        #expect(Set((0..<1000).map { _ in Randomness.bytes(16) }).count == 1000)
    }
}
