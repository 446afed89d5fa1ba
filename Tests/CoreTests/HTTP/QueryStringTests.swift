import Core
import Testing

struct QueryStringTests {
    @Test(arguments: [
        ("", []), ("a=b", [["a", "b"]]), ("a=b&c=d", [["a", "b"], ["c", "d"]]), ("a", [["a", ""]]),
        ("a=", [["a", ""]]),
        ("=b", [["", "b"]]), ("a=b=c", [["a", "b=c"]]), ("&&a=b&", [["a", "b"]]), ("a=%26%3D", [["a", "&="]]),
        ("a=1+2", [["a", "1+2"]]), ("a=%2520", [["a", "%20"]]), ("a%5B%5d=%C3%A9", [["a[]", "\u{E9}"]]),
        ("a=b&a=c", [["a", "b"], ["a", "c"]]),
    ])
    func `a query is cut first and decoded once`(_ text: String, _ pairs: [[String]]) {
        #expect(QueryString(parsing: text)?.pairs.map { [$0.name, $0.value] } == pairs)
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%00", "%=a", "a=%ff", "a=%C3", "a=%c0%80", "a=%ed%a0%80", "a=\0"])
    func `PR-13 a broken escape, a NUL or broken UTF-8 is no query`(_ text: String) {
        #expect(QueryString(parsing: text) == nil)
    }

    @Test func `a value is given when its name is there exactly once`() throws {
        let query = try #require(QueryString(parsing: "state=x&code=1&code=2"))
        #expect(query.value("state") == "x")
        #expect(query.value("code") == nil)
        #expect(query.value("error") == nil)
        #expect(query.count("code") == 2)
        #expect(query.count("error") == 0)
    }

    @Test func `everything but the unreserved characters is escaped`() {
        var query = QueryString()
        query.append("redirect_uri", "http://127.0.0.1:7447/callback?a=b c+d")
        query.append("az-AZ.09_~", "\u{E9}%")
        #expect(
            query.encoded
                == "redirect_uri=http%3A%2F%2F127.0.0.1%3A7447%2Fcallback%3Fa%3Db%20c%2Bd&az-AZ.09_~=%C3%A9%25")
        #expect(QueryString(parsing: query.encoded) == query)
        #expect(QueryString(parsing: query.encoded)?.hashValue == query.hashValue)
        #expect(query != QueryString())
    }
}
