import Core
import Testing

struct TCPAddressTests {
    @Test(arguments: [
        ("127.0.0.1:7447", "127.0.0.1:7447"), ("[::1]:7447", "[::1]:7447"), ("0.0.0.0:0", "0.0.0.0:0"),
        ("[2001:DB8:0:0:0::1]:65535", "[2001:db8::1]:65535"),
    ])
    func `an address and a port are read and written`(_ text: String, _ written: String) {
        #expect(TCPAddress(text)?.description == written)
    }

    @Test(arguments: [
        "", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:080",
        "localhost:80",
        "::1:80", "[::1]", "[::1]80", "[127.0.0.1]:80", "127.1:80", "0x7f.0.0.1:80", "127.0.0.1 :80", " 127.0.0.1:80",
        "127.0.0.1:80\n", "[::1%lo]:80", "[::1:80", "http://127.0.0.1:80", "127.0.0.1:8 0",
    ])
    func `anything else is no address`(_ text: String) { #expect(TCPAddress(text) == nil) }

    @Test(arguments: [
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("0:0:0:0:0:0:0:0", "::"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("2001:db8::0:1", "2001:db8::1"), ("2001:0DB8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::FFFF:c000:0201", "::ffff:192.0.2.1"), ("::1.2.3.4", "::102:304"),
        ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("fe80::1", "fe80::1"),
    ])
    func `IPv6 is written in the form of RFC 5952`(_ text: String, _ written: String) {
        #expect(IPAddress(text)?.description == written)
        #expect(IPAddress(written) == IPAddress(text))
    }

    @Test(arguments: [
        "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", ":1::", "1:::2", "::1:", "12345::", "::g",
        "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1.2.3.4::", "::1.2.3", "::1.2.3.256", "::1.2.3.04", "[::1]",
        "::1%eth0",
        "::1/128", "1.2.3", "1.2.3.4.5", "1.2.3.", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "0x1.2.3.4", "1,2,3,4",
        "\u{661}.2.3.4",
        "2130706433", "1.2.3.-4", "1:2:3:4:5:6:7:1.2.3.4",
    ])
    func `anything else is no IP literal`(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test(arguments: [
        ("127.0.0.1", true, false), ("127.255.0.9", true, false), ("::1", true, false), ("128.0.0.1", false, false),
        ("::2", false, false), ("::ffff:127.0.0.1", false, false), ("0.0.0.0", false, true), ("::", false, true),
        ("1::1", false, false),
    ])
    func `loopback and unspecified addresses are told apart`(_ text: String, _ loops: Bool, _ unspecified: Bool) {
        #expect(IPAddress(text)?.isLoopback == loops)
        #expect(IPAddress(text)?.isUnspecified == unspecified)
    }
}
