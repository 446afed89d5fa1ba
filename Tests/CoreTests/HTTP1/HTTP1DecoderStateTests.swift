import Core
import Testing

/// What the decoders are between and after messages.
struct HTTP1DecoderStateTests {
    private func events(_ decoder: inout HTTP1RequestDecoder) throws -> [HTTP1RequestEvent] {
        var events: [HTTP1RequestEvent] = []
        while let event = try decoder.next() { events.append(event) }
        return events
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `after an error the same error comes for ever and nothing is kept`() {
        var decoder = HTTP1RequestDecoder()
        decoder.append(bytes("GET / HTTP/1.1\r\nHost : a\r\n\r\n").span)
        let first = #expect(throws: HTTP1DecodeError.self) { _ = try decoder.next() }
        decoder.append(bytes(get).span)
        #expect(decoder.bufferedCount == 0)
        #expect(!decoder.isMidMessage)
        let second = #expect(throws: HTTP1DecodeError.self) { _ = try decoder.next() }
        let third = #expect(throws: HTTP1DecodeError.self) { try decoder.finish() }
        let fourth = #expect(throws: HTTP1DecodeError.self) { _ = try decoder.next() }
        #expect([second, third, fourth] == [first, first, first])
    }

    @Test func `a message is open from its first byte until its end is given out`() throws {
        var decoder = HTTP1RequestDecoder()
        #expect(!decoder.isMidMessage)
        decoder.append(bytes("G").span)
        #expect(try events(&decoder).isEmpty)
        #expect(decoder.isMidMessage)
        let rest = Array(bytes(get).dropFirst())
        decoder.append(rest.span)
        guard case .head? = try decoder.next() else {
            Issue.record("there is no head")
            return
        }
        #expect(decoder.isMidMessage)
        #expect(try decoder.next() == .end)
        #expect(!decoder.isMidMessage)
        #expect(decoder.bufferedCount == 0)
    }

    @Test func `H1-26 a hundred pipelined requests in one packet come out in order`() throws {
        var decoder = HTTP1RequestDecoder()
        decoder.append(bytes((0..<100).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()).span)
        var paths: [String] = []
        for event in try events(&decoder) {
            if case .head(let head, _) = event { paths.append(head.path) }
        }
        #expect(paths == (0..<100).map { "/\($0)" })
    }

    @Test func `H1-33 requests that came before the peer closed its side are still given out`() throws {
        var decoder = HTTP1RequestDecoder()
        decoder.append(bytes(get + get).span)
        try decoder.finish()
        #expect(try events(&decoder).count == 4)
        #expect(try decoder.next() == nil)
    }

    @Test func `H1-34 what the close cuts is found also when earlier events were left`() throws {
        var decoder = HTTP1RequestDecoder()
        decoder.append(bytes(get + "GET /cut").span)
        try decoder.finish()
        guard case .head? = try decoder.next() else {
            Issue.record("there is no head")
            return
        }
        #expect(try decoder.next() == .end)
        #expect(throws: HTTP1DecodeError.self) { _ = try decoder.next() }
    }

    @Test(arguments: [1, 7, 65_536, 400_000]) func `a body of 400000 bytes comes through in pieces`(_ size: Int) throws
    {
        var decoder = HTTP1RequestDecoder()
        decoder.append(bytes("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n").span)
        let piece = [UInt8](repeating: 7, count: size)
        var sent = 0
        var count = 0
        while sent < 400_000 {
            let next = min(size, 400_000 - sent)
            decoder.append(piece.span.extracting(first: next))
            sent += next
            for event in try events(&decoder) {
                if case .body(let bytes) = event { count += bytes.count }
            }
        }
        #expect(count == 400_000)
        #expect(!decoder.isMidMessage)
    }

    @Test func `a large packet of small requests is used up without moving it again and again`() throws {
        var decoder = HTTP1RequestDecoder()
        decoder.append([UInt8](repeating: 0, count: 0).span)
        decoder.append(bytes(String(repeating: get, count: 20_000)).span)
        #expect(try events(&decoder).count == 40_000)
    }

    @Test func `nothing is read of an answer that nobody asked for`() throws {
        var decoder = HTTP1ResponseDecoder()
        decoder.append(bytes("HTTP/1.1 408 Request Timeout\r\n\r\n").span)
        #expect(try decoder.next() == nil)
        #expect(decoder.bufferedCount > 0)
        try decoder.finish()
        #expect(try decoder.next() == nil)
    }

    @Test func `a close before the first byte of an answer is an error, before a request it is not`() throws {
        var idle = HTTP1ResponseDecoder()
        try idle.finish()
        var waiting = HTTP1ResponseDecoder()
        waiting.expectAnswer(to: .get)
        #expect(throws: HTTP1DecodeError.self) { try waiting.finish() }
        #expect(throws: HTTP1DecodeError.self) { _ = try waiting.next() }
    }

    @Test func `interim answers are counted for each answer anew`() throws {
        var decoder = HTTP1ResponseDecoder()
        let answer = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 8) + "HTTP/1.1 204 No Content\r\n\r\n"
        for _ in 0..<2 { decoder.expectAnswer(to: .get) }
        decoder.append(bytes(answer + answer).span)
        var ends = 0
        while let event = try decoder.next() {
            if event == .end { ends += 1 }
        }
        #expect(ends == 2)
    }
}
