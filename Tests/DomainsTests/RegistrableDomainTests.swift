import Testing

@testable import Domains

struct RegistrableDomainTests {
    @Test(arguments: [
        ("example.com", "example.com"), ("www.example.com", "example.com"), ("a.b.c.example.com", "example.com"),
        ("example.co.uk", "example.co.uk"), ("www.example.co.uk", "example.co.uk"),
        ("WWW.Example.CO.UK", "example.co.uk"),
        ("www.example.com.", "example.com"), ("site.github.io", "site.github.io"),
        ("a.site.github.io", "site.github.io"),
        ("www.city.kawasaki.jp", "city.kawasaki.jp"), ("a.b.other.kawasaki.jp", "b.other.kawasaki.jp"),
        ("www.ck", "www.ck"), ("a.b.c.ck", "b.c.ck"), ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("a.b.unlisted", "b.unlisted"), ("0.0.0.0x.example.com", "example.com"),
    ])
    func `it is the public suffix and one label more`(host: String, domain: String) {
        #expect(RegistrableDomain(of: host)?.name == domain)
    }

    @Test(arguments: [
        "com", "co.uk", "github.io", "localhost", "", ".", "..", ".example.com", "a..example.com", "example.com..",
        "127.0.0.1", "10.0.0.1", "1.2.3", "192.168.0.0x1", "0x7f.1", "256.256.256.256", "::1", "[::1]",
        "[2001:db8::1.2.3.4]", "example.com:443", "exa mple.com", "example.com\u{0}.evil.test", "a/b.com", "a@b.com",
        String(repeating: "a", count: 64) + ".com", String(repeating: "abc.", count: 64) + "com",
    ])
    func `a suffix, an address and what is no name have none`(host: String) {
        #expect(RegistrableDomain(of: host) == nil)
    }

    @Test func `two hosts of one registrant are alike, two under one suffix are not`() {
        #expect(RegistrableDomain(of: "a.example.co.uk") == RegistrableDomain(of: "b.example.co.uk"))
        #expect(RegistrableDomain(of: "example.co.uk") != RegistrableDomain(of: "other.co.uk"))
    }
}
