import Core
import Testing

struct OriginTests {
    @Test(arguments: [
        ("https://mimikey.example", "https://mimikey.example", "mimikey.example", 443),
        ("https://mimikey.example/", "https://mimikey.example", "mimikey.example", 443),
        ("HTTPS://MimiKey.Example:443", "https://mimikey.example", "mimikey.example", 443),
        ("https://mimikey.example:8443", "https://mimikey.example:8443", "mimikey.example", 8443),
        ("http://127.0.0.1:7448", "http://127.0.0.1:7448", "127.0.0.1", 7448),
        ("http://[::1]:7448/", "http://[::1]:7448", "::1", 7448), ("http://[0:0::1]", "http://[::1]", "::1", 80),
        ("http://localhost:443", "http://localhost:443", "localhost", 443),
    ])
    func `an origin is read and written`(_ text: String, _ written: String, _ host: String, _ port: UInt16) {
        let origin = Origin(text)
        #expect(origin?.description == written)
        #expect(origin?.host == host)
        #expect(origin?.port == port)
        #expect(Origin(written) == origin)
    }

    @Test func `the authority leaves the default port out and brackets IPv6`() {
        #expect(Origin("https://a:443")?.authority == "a")
        #expect(Origin("http://a:443")?.authority == "a:443")
        #expect(Origin("http://[::1]:7448")?.authority == "[::1]:7448")
        #expect(Origin("http://[::1]:80")?.authority == "[::1]")
    }

    @Test(arguments: [
        "", "https", "https:", "https:/", "https://", "https:///", "mimikey.example", "//mimikey.example", "ftp://a",
        "https://a//", "https://a/b", "https://a/?", "https://a?b", "https://a#b", "https://me@a", "https://me:pw@a",
        "https://a:0", "https://a:", "https://a:65536", "https://a:b", "https://a b", " https://a", "https://a\n",
        "https://::1",
        "https://[::1", "https://[a]", "https://b\u{FC}cher.example", "https://a%2eb", "javascript:alert", "https:a",
    ])
    func `anything else is no origin`(_ text: String) { #expect(Origin(text) == nil) }

    @Test(arguments: [
        ("http://127.0.0.1", true), ("http://127.9.9.9:1", true), ("http://[::1]", true), ("http://localhost", false),
        ("http://127.1", false), ("http://2130706433", false), ("http://0x7f.0.0.1", false), ("http://0.0.0.0", false),
        ("http://[::ffff:127.0.0.1]", false), ("http://127.0.0.1.nip.test", false), ("http://10.0.0.1", false),
    ])
    func `only an IP literal of the loopback range counts as loopback`(_ text: String, _ loops: Bool) {
        #expect(Origin(text)?.isLoopbackLiteral == loops)
    }
}
