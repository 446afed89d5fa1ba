import Core
import Testing

struct HostPatternTests {
    @Test(arguments: [
        ("bank.example.com", "bank.example.com"), ("bank.example.com", "www.bank.example.com"),
        ("BANK.example.com.", "bank.example.com"), ("www.bank.example.com", "www.bank.example.com"),
        ("*.shop.example", "a.shop.example"), ("*.shop.example", "a.b.shop.example"),
        ("*.shop.example", "www.shop.example"), ("*.example", "a.example"), ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"), ("::1", "0:0:0:0:0:0:0:1"),
    ])
    func `a pattern covers a host`(pattern: String, host: String) throws {
        let name = try #require(HostName(host))
        #expect(try #require(HostPattern(pattern)).matches(name))
    }

    @Test(arguments: [
        ("bank.example.com", "bank.example"), ("bank.example.com", "example.com"),
        ("bank.example.com", "notbank.example.com"), ("bank.example.com", "login.bank.example.com"),
        ("bank.example.com", "wwwbank.example.com"), ("bank.example.com", "www.www.bank.example.com"),
        ("bank.example.com", "bank.example.com.evil.test"), ("www.bank.example.com", "bank.example.com"),
        ("*.shop.example", "shop.example"), ("*.shop.example", "myshop.example"),
        ("*.shop.example", "a.shop.example.evil.test"), ("*.shop.example", "ashop.example"),
        ("127.0.0.1", "127.0.0.2"), ("::1", "::2"),
    ])
    func `a pattern does not cover another host`(pattern: String, host: String) throws {
        let name = try #require(HostName(host))
        #expect(try !#require(HostPattern(pattern)).matches(name))
    }

    @Test(arguments: [
        "", "*", "*.", ".", "**.example", "*example", "a.*.example", "*.*.example", "bank.*", "*.127.0.0.1", "*.[::1]",
        "*.::1", "https://bank.example.com", "bank.example.com:443", "bank.example.com/x", "bank .example", "?.example",
        "[a-z].example", "bänk.example", "127.1", "www.*",
    ])
    func `what is no pattern is refused`(pattern: String) {
        #expect(HostPattern(pattern) == nil)
    }
}
