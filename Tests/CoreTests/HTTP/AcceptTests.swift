import Core
import Testing

struct AcceptTests {
    private static func prefersStream(_ lines: String...) -> Bool {
        var fields = HTTPFields()
        for line in lines { fields.append("accept", line) }
        return MediaType.prefersEventStream(fields)
    }

    @Test(arguments: [
        "text/event-stream", "Text/Event-Stream", "text/event-stream;q=0.1", "text/event-stream, */*",
        "application/json;q=0.5, text/event-stream", #"text/event-stream;a="b,c";q=1"#,
    ])
    func `a stream that is named and wanted more than JSON is preferred`(_ accept: String) {
        #expect(Self.prefersStream(accept))
    }

    @Test(arguments: [
        "*/*", "text/*", "application/json", "text/event-stream, application/json", "text/event-stream;q=0",
        "text/event-stream;q=0.2, application/json;q=0.3", "text/event-stream;q=x", "text/event-stream;q=1.5",
        "text/event-stream;q=0.0001", "text", "text/event-stream x", "",
    ])
    func `anything else is JSON`(_ accept: String) {
        #expect(!Self.prefersStream(accept))
    }

    @Test func `several lines are one list`() {
        #expect(Self.prefersStream("text/html", "text/event-stream"))
        #expect(!Self.prefersStream())
    }
}
