import Core
import Testing

struct MessageHeadTests {
    private func head(_ version: HTTPVersion, _ connection: [String]) -> RequestHead {
        var fields = HTTPFields()
        for value in connection { fields.append("connection", value) }
        return RequestHead(method: .get, target: .asterisk, version: version, fields: fields)
    }

    @Test(arguments: [[], ["keep-alive"], ["Upgrade, HTTP2-Settings"], ["closed"], ["not close"], [""], [" , ,"]])
    func `HTTP 1.1 keeps the connection unless it is told to close`(_ connection: [String]) {
        #expect(head(.http11, connection).keepsAlive)
    }

    @Test(arguments: [["close"], ["CLOSE"], ["keep-alive, close"], ["keep-alive", "\tClose "], ["a,close,b"]])
    func `close wins in either version`(_ connection: [String]) {
        #expect(!head(.http11, connection).keepsAlive)
        #expect(!head(.http10, connection).keepsAlive)
    }

    @Test func `H1-37 HTTP 1.0 closes unless it is told to keep the connection`() {
        #expect(!head(.http10, []).keepsAlive)
        #expect(!head(.http10, ["upgrade"]).keepsAlive)
        #expect(head(.http10, ["Keep-Alive"]).keepsAlive)
        #expect(!ResponseHead(status: 200, version: .http10).keepsAlive)
        #expect(ResponseHead(status: 200).keepsAlive)
    }

    @Test func `H1-29 only HTTP 1.1 expects 100 Continue`() {
        var head = head(.http11, [])
        #expect(!head.expectsContinue)
        head.fields.append("expect", "100-continue")
        #expect(head.expectsContinue)
        head.version = .http10
        #expect(!head.expectsContinue)
    }
}
