import Testing

@testable import Sandbox

struct HintTests {
    private func first(_ hint: Hint) -> String? { hint.ordered(SampleItem.samples).first?.id }

    @Test(arguments: [
        ("https://bank.example.com", "it_bank"), ("https://BANK.example.com:8443/x?y#z", "it_bank"),
        ("bank.example.com", "it_bank"), ("https://sam:pw@shop.example.org/", "it_shop"),
        ("https://www.mail.example.net/login", "it_mail"), ("https://code.example.com", "it_code"),
    ])
    func `the host decides first`(url: String, id: String) {
        #expect(first(Hint(url: url, title: "Example Shop", kind: "card")) == id)
    }

    @Test func `the same host comes before its parent and its child`() {
        let items = ["a.bank.example.com", "example.com", "bank.example.com"].map { host in
            SampleItem(id: host, vaultID: "v", kind: "login", revision: 1, title: host, url: "https://\(host)")
        }
        let order = Hint(url: "https://bank.example.com").ordered(items).map(\.id)
        #expect(order == ["bank.example.com", "a.bank.example.com", "example.com"])
    }

    @Test func `the same registrable domain comes before a title and a kind`() {
        let items = ["it.elsewhere.co.uk", "www.shop.co.uk", "shop.com.elsewhere.co.uk", "shop.com"].map { host in
            SampleItem(id: host, vaultID: "v", kind: "login", revision: 1, title: host, url: "https://\(host)")
        }
        let order = Hint(url: "https://pay.shop.co.uk", title: "shop.com", kind: "login").ordered(items).map(\.id)
        #expect(order == ["www.shop.co.uk", "shop.com.elsewhere.co.uk", "shop.com", "it.elsewhere.co.uk"])
    }

    @Test func `a host that only ends alike is another host`() {
        #expect(first(Hint(url: "https://notexample.com", kind: "card")) == "it_card")
        #expect(first(Hint(url: "https://com", kind: "card")) == "it_card")
    }

    @Test func `an address is the same only when it is the same`() {
        let items = ["10.0.0.1", "11.0.0.1", "[::1]"].map { host in
            SampleItem(id: host, vaultID: "v", kind: "login", revision: 1, title: host, url: "https://\(host)")
        }
        #expect(Hint(url: "http://11.0.0.1:8080").ordered(items).first?.id == "11.0.0.1")
        #expect(Hint(url: "http://12.0.0.1").ordered(items).first?.id == "10.0.0.1")
        #expect(Hint(url: "http://[::1]/").ordered(items).first?.id == "[::1]")
    }

    @Test func `within one rank the title decides, then the kind`() {
        #expect(first(Hint(url: "https://www.example.com", title: "code host")) == "it_code")
        #expect(first(Hint(url: "https://www.example.com", kind: "api_key")) == "it_api_key")
        #expect(first(Hint(url: "https://www.example.com")) == "it_bank")
    }

    @Test func `then the title, then the kind, then the order in the vault`() {
        #expect(first(Hint(title: "sandbox NOTE", kind: "card")) == "it_note")
        #expect(first(Hint(title: "nothing like it", kind: "ssh_key")) == "it_ssh_key")
        #expect(first(Hint(url: "https://elsewhere.example", title: "", kind: nil)) == "it_bank")
    }

    @Test func `there is an item of each kind`() {
        #expect(Set(SampleItem.samples.map(\.kind)) == Wire.kinds)
    }

    @Test func `nothing is lost on the way`() {
        #expect(Set(Hint(title: "example").ordered(SampleItem.samples)) == Set(SampleItem.samples))
    }
}
