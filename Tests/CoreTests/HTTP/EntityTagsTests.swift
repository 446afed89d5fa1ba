import Core
import Testing

struct EntityTagsTests {
    private static func tags(_ lines: String...) throws -> EntityTags? {
        var fields = HTTPFields()
        for line in lines { fields.append("if-none-match", line) }
        return try EntityTags(of: fields)
    }

    @Test func `without the field there are none`() throws {
        #expect(try Self.tags() == nil)
    }

    @Test func `a list over several lines, weak or not, matches each of its tags`() throws {
        let tags = try #require(try Self.tags(#" "a" , W/"b""#, #""c,d\""#))
        for tag in ["a", "b", #"c,d\"#] { #expect(tags.match(tag)) }
        #expect(!tags.match("c"))
        #expect(!tags.match(""))
    }

    @Test func `a star matches whatever there is`() throws {
        #expect(try Self.tags("*") == .any)
        #expect(EntityTags.any.match("x"))
    }

    @Test(arguments: ["", "a", #""a"#, #""a" "b""#, #"*, "a""#, #"w/"a""#, "W", #"W"a""#, "\"a b\"", "\"a\"\t;"])
    func `what is no list of tags is invalid_request`(_ line: String) {
        #expect {
            _ = try Self.tags(line)
        } throws: {
            ($0 as? Problem)?.code == .invalidRequest
        }
    }
}
