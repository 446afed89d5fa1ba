import Core
import Foundation
import Testing

struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648 hold without padding`(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test func `bytes come out as another encoder has them`() {
        var random = SplitMix(seed: 4648)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let padded = Data(bytes).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            let text = Base64URL.encode(bytes)
            #expect(text == padded.replacingOccurrences(of: "=", with: ""))
            #expect(Base64URL.decode(text) == bytes)
            #expect(Base64URL.decode(padded) == bytes)
        }
    }

    @Test(arguments: [
        ("-_8", [0xFB, 0xFF]), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6F]), ("Zh", [0x66]), ("Zm9", [0x66, 0x6F]),
    ])
    func `padding is optional and trailing bits do not matter`(text: String, bytes: [UInt8]) {
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(arguments: [
        "Z", "Zm9vY", "Zg=", "Z===", "=", "==", "====", "Zg===", "Zm9v=", "Zm9v==", "Zg==Zg==", "Z=g=", "Zg= =",
        "Zm9v\n",
        " Zm9v", "Zm 9v", "Zm+v", "Zm/v", "Zm9é", "Zm9v\u{0}", "Zm.v", "Zg%3D",
    ])
    func `what is no base64url is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `only 64 characters are digits`() {
        #expect((0...255).filter { UInt8($0).isBase64URLCharacter }.count == 64)
    }
}
