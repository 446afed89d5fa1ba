package enum HTTP1RequestEvent: Hashable, Sendable {
    case head(RequestHead, BodyFraming)
    /// Some bytes of the body, never empty.
    case body([UInt8])
    /// The message is over. Trailers are dropped.
    case end
}

/// Turns the bytes of a connection into requests (RFC 9112), whichever way they were split on the way.
///
/// A pure state machine: `append` what came, then call `next` until it gives `nil`.
package struct HTTP1RequestDecoder: Sendable {
    private enum State: Sendable {
        /// Then `fields`. One empty line may stand before it: old clients end a body with one.
        case requestLine(emptyLineCame: Bool)
        /// Then `body`, also when there is none.
        case fields(HTTP1RequestLine)
        /// Then `requestLine`.
        case body
    }

    private let limits: HTTP1Limits
    private var buffer = HTTP1Buffer()
    private var state = State.requestLine(emptyLineCame: false)
    private var scanner = HTTP1LineScanner()
    private var fields = HTTP1FieldBlock()
    private var body = HTTP1BodyReader(.none)
    private var connection = HTTP1InputEnd()

    package init(limits: HTTP1Limits = .standard) { self.limits = limits }

    /// Takes bytes from the socket.
    package mutating func append(_ bytes: Span<UInt8>) {
        guard connection.takesBytes else { return }
        connection.bytesCame()
        buffer.append(bytes)
    }

    /// The next event, `nil` when more bytes are needed. Once it has thrown it throws the same again.
    package mutating func next() throws(HTTP1DecodeError) -> HTTP1RequestEvent? {
        try connection.checkNotFailed()
        do throws(HTTP1DecodeError) {
            if let event = try step() { return event }
            try connection.ranOut(isMidMessage: isMidMessage)
            return nil
        } catch {
            fail(error)
            throw error
        }
    }

    /// The peer has closed its side: throws when that cuts a message. If events are left that `next` has not given
    /// out, it gives them first and throws then.
    package mutating func finish() throws(HTTP1DecodeError) {
        do throws(HTTP1DecodeError) {
            try connection.close(isMidMessage: isMidMessage)
        } catch {
            fail(error)
            throw error
        }
    }

    /// Has any byte of a next message come that is not yet given out by `next`? Also `true` until `end` is given out.
    package var isMidMessage: Bool {
        switch state {
        case .requestLine: !buffer.isEmpty
        case .fields, .body: true
        }
    }

    /// Bytes taken and not yet given out.
    package var bufferedCount: Int { buffer.count }

    private mutating func fail(_ error: HTTP1DecodeError) {
        connection.fail(error)
        buffer = HTTP1Buffer()
        state = .requestLine(emptyLineCame: false)
    }

    private mutating func step() throws(HTTP1DecodeError) -> HTTP1RequestEvent? {
        while true {
            switch state {
            case .requestLine(let emptyLineCame):
                guard let length = try scanRequestLine() else { return nil }
                if length > 0 {
                    state = .fields(try requestLine(length))
                } else {
                    guard !emptyLineCame else { throw HTTP1DecodeError("Empty lines stand before the request.") }
                    state = .requestLine(emptyLineCame: true)
                }
                buffer.consume(length + 2)
            case .fields(let line):
                guard try fields.read(&buffer, limits: limits) else { return nil }
                let head = RequestHead(
                    method: line.method, target: line.target.target, version: line.version, fields: fields.fields)
                fields = HTTP1FieldBlock()
                let framing = try HTTP1Framing.request(head.fields, head.version)
                try HTTP1RequestChecks.check(head, authority: line.target.authority)
                body = HTTP1BodyReader(framing)
                state = .body
                return .head(head, framing)
            case .body:
                switch try body.next(&buffer, limits: limits, isClosed: false) {
                case nil: return nil
                case .bytes(let bytes): return .body(bytes)
                case .end:
                    state = .requestLine(emptyLineCame: false)
                    return .end
                }
            }
        }
    }

    private mutating func scanRequestLine() throws(HTTP1DecodeError) -> Int? {
        try scanner.scan(
            buffer, for: .request, limit: limits.startLine,
            breach: HTTP1DecodeError(status: 414, code: .uriTooLong, "The request line is too long."))
    }

    private func requestLine(_ length: Int) throws(HTTP1DecodeError) -> HTTP1RequestLine {
        try HTTP1RequestLine(buffer.bytes.span.extracting(buffer.start..<buffer.start + length))
    }
}
