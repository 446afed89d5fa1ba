import Core
import Testing

/// Each limit, at its last allowed value and one beyond, in one piece, byte by byte and split near its end.
struct HTTP1LimitTests {
    private func end(_ text: String) -> HTTP1Outcome.End {
        let bytes = Array(text.utf8)
        let whole = HTTP1Outcome.request([bytes[...]])
        #expect(HTTP1Outcome.request(bytes.indices.map { bytes[$0...$0] }) == whole)
        for boundary in max(1, bytes.count - 12)..<bytes.count {
            #expect(HTTP1Outcome.request([bytes[..<boundary], bytes[boundary...]]) == whole, "split at \(boundary)")
        }
        return whole.end
    }

    private func status(_ text: String) -> HTTPStatus? {
        if case .refused(let error) = end(text) { error.status } else { nil }
    }

    private func chunked(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    }

    private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    /// A head whose field lines take so many bytes, their line ends included.
    private func head(fieldBytes: Int) -> String {
        let host = "Host: a\r\n"
        return "GET / HTTP/1.1\r\n\(host)X: \(letters(fieldBytes - host.utf8.count - 5))\r\n\r\n"
    }

    @Test func `H1-13 chunk extensions of 1024 bytes pass and 1025 do not`() {
        #expect(end(chunked("200;\(letters(1023))\r\n\(letters(512))\r\n0\r\n\r\n")) == .accepted)
        #expect(status(chunked("200;\(letters(1024))\r\n\(letters(512))\r\n0\r\n\r\n")) == 400)
        #expect(status(chunked("1;\(letters(16384))\r\nx\r\n0\r\n\r\n")) == 400)
    }

    @Test func `H1-13 chunk extensions are counted over the whole body`() {
        let chunk = "1;\(letters(99))\r\nx\r\n"
        #expect(status(chunked(String(repeating: chunk, count: 11) + "0\r\n\r\n")) == 400)
    }

    @Test func `H1-13 a hundred thousand chunks of one byte are refused early`() {
        let bytes = Array(chunked(String(repeating: "1\r\nx\r\n", count: 100_000) + "0\r\n\r\n").utf8)
        var decoder = HTTP1RequestDecoder()
        decoder.append(bytes.span)
        var bodyBytes = 0
        #expect(throws: HTTP1DecodeError.self) {
            while let event = try decoder.next() {
                if case .body(let piece) = event { bodyBytes += piece.count }
            }
        }
        #expect(bodyBytes < 250)
    }

    @Test func `H1-13 a short body in chunks of one byte and a long one in chunks of two pass`() {
        #expect(end(chunked(String(repeating: "1\r\nx\r\n", count: 200) + "0\r\n\r\n")) == .accepted)
        #expect(end(chunked(String(repeating: "2\r\nxy\r\n", count: 2000) + "0\r\n\r\n")) == .accepted)
    }

    @Test func `H1-20 a method of one KiB is not implemented`() {
        #expect(status("\(String(repeating: "A", count: 1024)) / HTTP/1.1\r\nHost: a\r\n\r\n") == 501)
    }

    @Test func `H1-22 a request line of 8192 bytes passes and one of 8193 is 414`() {
        let around = "GET / HTTP/1.1".utf8.count
        #expect(end("GET /\(letters(8192 - around)) HTTP/1.1\r\nHost: a\r\n\r\n") == .accepted)
        #expect(status("GET /\(letters(8193 - around)) HTTP/1.1\r\nHost: a\r\n\r\n") == 414)
        #expect(status("GET /\(letters(8193))") == 414)
    }

    @Test func `H1-22 a field block of 16384 bytes passes and one of 16385 is 431`() {
        #expect(end(head(fieldBytes: 16384)) == .accepted)
        #expect(status(head(fieldBytes: 16385)) == 431)
        #expect(status("GET / HTTP/1.1\r\nHost: a\r\nX: \(letters(17 << 10))") == 431)
    }

    @Test(arguments: ["a", ""]) func `H1-22 a hundred fields pass and one more is 431`(_ value: String) {
        let field = "X: \(value)\r\n"
        #expect(end("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: field, count: 99))\r\n") == .accepted)
        #expect(status("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: field, count: 100))\r\n") == 431)
    }

    @Test func `H1-22 trailers have the limits of a head`() {
        #expect(end(chunked("0\r\n\(String(repeating: "X: a\r\n", count: 100))\r\n")) == .accepted)
        #expect(status(chunked("0\r\n\(String(repeating: "X: a\r\n", count: 101))\r\n")) == 431)
        #expect(end(chunked("0\r\nX: \(letters(16379))\r\n\r\n")) == .accepted)
        #expect(status(chunked("0\r\nX: \(letters(16380))\r\n\r\n")) == 431)
    }

    @Test func `H1-22 the limits are those that were given`() {
        let limits = HTTP1Limits(startLine: 20, fieldBlock: 30, fieldCount: 2)
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nC: d\r\n\r\n".utf8)
        guard case .refused(let error) = HTTP1Outcome.request([bytes[...]], limits: limits).end else {
            Issue.record("three fields passed a limit of two")
            return
        }
        #expect(error.status == 431)
        #expect(error.code == .headersTooLarge)
    }

    @Test func `H1-23 two megabytes of empty lines are refused at the second`() {
        #expect(status("\r\n\r\n") == 400)
        let bytes = Array(String(repeating: "\r\n", count: 1 << 20).utf8)
        var decoder = HTTP1RequestDecoder()
        decoder.append(bytes.span)
        #expect(throws: HTTP1DecodeError.self) { _ = try decoder.next() }
        #expect(decoder.bufferedCount == 0)
    }

    @Test func `a status line and the fields of an answer are bounded too`() {
        let line = Array("HTTP/1.1 200 \(letters(8192))\r\n\r\n".utf8)
        let block = Array("HTTP/1.1 200 OK\r\nX: \(letters(16384))\r\n\r\n".utf8)
        for bytes in [line, block] {
            let whole = HTTP1Outcome.response([bytes[...]], to: [.get])
            #expect(whole.lines == [])
            if case .refused = whole.end {} else { Issue.record("an answer passed its limit") }
        }
    }
}
