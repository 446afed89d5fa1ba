import Core
import Testing

struct HostNameTests {
    @Test(arguments: [
        ("bank.example.com", "bank.example.com"), ("Bank.EXAMPLE.com", "bank.example.com"),
        ("bank.example.com.", "bank.example.com"), ("localhost", "localhost"), ("a_b.example", "a_b.example"),
        ("xn--bnk-qla.example", "xn--bnk-qla.example"), ("1.example", "1.example"), ("a-b.c-d", "a-b.c-d"),
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"),
        ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::ffff:127.0.0.1", "::ffff:127.0.0.1"),
    ])
    func `a host is kept in the form in which it is compared`(text: String, expected: String) {
        #expect(HostName(text)?.rawValue == expected)
    }

    @Test(arguments: [
        "", ".", "..", "a..b", ".a", "a.b..", "-a.example", "a-.example", "a b", " a", "a ", "a/b", "a:80", "a@b",
        "a\\b",
        "a%41", "*.a.example", "bänk.example", "ｂank.example", "bank。example", "a\u{0}", "a\u{200B}b", "a\tb", "[a]",
        "[127.0.0.1]", "::1%eth0", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "256.0.0.1",
        "1.2.3.4.5", "127.0.0", "example.0x7f", "example.1", "example.0x",
    ])
    func `what is no host is refused`(text: String) {
        #expect(HostName(text) == nil)
    }

    @Test func `a label has at most 63 characters and a name 253`() {
        let label = String(repeating: "a", count: 63)
        #expect(HostName(label + ".example") != nil)
        #expect(HostName(label + "a.example") == nil)
        let long = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(HostName(long) != nil)
        #expect(HostName(long + "a") == nil)
    }

    @Test(arguments: [
        ("https://bank.example.com", "bank.example.com"), ("http://bank.example.com/", "bank.example.com"),
        ("HTTPS://BANK.example.com/Login?a=b#c", "bank.example.com"),
        ("https://bank.example.com:8443/x", "bank.example.com"),
        ("https://bank.example.com?x", "bank.example.com"), ("https://bank.example.com#x", "bank.example.com"),
        ("bank.example.com", "bank.example.com"), ("bank.example.com:8443/x", "bank.example.com"),
        ("bank.example.com/ä b@c\\d", "bank.example.com"), ("https://[::1]:7447/x", "::1"), ("[::1]", "::1"),
        ("127.0.0.1:7447", "127.0.0.1"), ("https://bank.example.com./", "bank.example.com"),
        ("https://evil.test/https://bank.example.com", "evil.test"),
        ("https://evil.test/@bank.example.com", "evil.test"),
        ("https://evil.test#@bank.example.com", "evil.test"), ("https://evil.test?@bank.example.com", "evil.test"),
    ])
    func `PR-12 the host of a URL is read from its raw bytes`(url: String, expected: String) {
        #expect(HostName(ofURL: url)?.rawValue == expected)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "http:///bank.example.com", "https:bank.example.com", "https:/bank.example.com",
        "//bank.example.com", "/bank.example.com", "?bank.example.com", "ftp://bank.example.com",
        "javascript:alert(1)", "mailto:me@bank.example.com", "data:text/html,x", "file:///bank.example.com",
        "https://me@bank.example.com", "https://me:pw@bank.example.com", "https://@bank.example.com",
        "https://bank.example.com@evil.test", "https://bank.example.com%2Fevil.test", "https://bank%2Eexample.com",
        "https://evil.test\\@bank.example.com", "https://evil.test\\.bank.example.com", "https:\\\\bank.example.com",
        "https://bank.example.com:", "https://bank.example.com:x", "https://bank.example.com:65536", "https://::1/",
        "https://[::1", "https://[::1%25eth0]/", "https://[::1]x/", " https://bank.example.com",
        "https:// bank.example.com", "https://bank\t.example.com", "https://bank\n.example.com",
        "ht\ntps://bank.example.com", "https://bänk.example", "https://bank.example.com\u{0}", "https://127.1/",
        "https://0x7f.1/", "https://2130706433/", "\u{FEFF}https://bank.example.com", "https://*.example.com",
    ])
    func `a URL whose host two readers could see differently has none`(url: String) {
        #expect(HostName(ofURL: url) == nil)
    }
}
