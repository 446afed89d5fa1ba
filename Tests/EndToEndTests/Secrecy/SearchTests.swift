import Foundation
import Testing

/// The search finds what it is to find.
struct SearchTests {
    @Test func `a canary is found in each of its forms`() async {
        let secret = "cs_+/Zk9~canary=\"#"
        let canary = Canary("it", secret)
        let data = Data(secret.utf8)
        let texts = [
            secret, "x\(data.base64EncodedString())y", Data(("x" + secret + "yz").utf8).base64EncodedString(),
            Data(("xx" + secret).utf8).base64EncodedString(),
            Data(("Bearer " + secret).utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"),
            data.map { String(format: "%02x", $0) }.joined(), data.map { String(format: "%02X", $0) }.joined(),
            secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
            data.map { String(format: "\\u%04x", $0) }.joined(), "\(secret.prefix(9))\n  \(secret.dropFirst(9))",
            "line one ends with \(secret.prefix(13))", "\(secret.suffix(13)) begins line two",
        ]
        for text in texts {
            var search = Search([canary])
            search.add(text, "a text")
            let found = await search.found()
            #expect(!found.isEmpty, "\(text)")
        }
        var search = Search([canary])
        search.add("nothing of it", "a text")
        let found = await search.found()
        #expect(found.isEmpty)
    }
}
