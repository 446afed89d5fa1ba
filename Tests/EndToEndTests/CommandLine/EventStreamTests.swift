import Testing

@testable import CLI

@Suite struct EventStreamTests {
    private static func events(_ text: String, piece: Int) -> [EventStream.Event] {
        var stream = EventStream()
        var rest = Array(text.utf8)[...]
        var events: [EventStream.Event] = []
        while !rest.isEmpty {
            events += stream.take(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return events
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func `events are the same however they are cut`(piece: Int) {
        let text = """
            : waiting

            event: ask
            data: {"a":1}

            data:first
            data: second
            id: 7
            retry: 1

            event: without data

            event: state\r
            data: {}\r
            \r
            data: not complete
            """
        #expect(
            Self.events(text, piece: piece) == [
                .init(name: "ask", data: Array(#"{"a":1}"#.utf8)),
                .init(name: "message", data: Array("first\nsecond".utf8)),
                .init(name: "state", data: Array("{}".utf8)),
            ])
    }
}
