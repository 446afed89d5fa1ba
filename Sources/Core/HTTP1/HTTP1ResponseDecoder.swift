package enum HTTP1ResponseEvent: Hashable, Sendable {
    /// 1xx: the real answer follows.
    case informational(ResponseHead)
    case head(ResponseHead, BodyFraming)
    case body([UInt8])
    case end
}

/// Turns the bytes of a connection to a service into its answers (RFC 9112).
package struct HTTP1ResponseDecoder: Sendable {
    private enum State: Sendable {
        /// Then `fields`.
        case statusLine
        /// Then `statusLine` after a 1xx, or `body`, also when there is none.
        case fields(HTTP1StatusLine)
        /// Then `statusLine` of the next answer.
        case body
    }

    private let limits: HTTP1Limits
    private var buffer = HTTP1Buffer()
    private var state = State.statusLine
    /// The methods of the requests whose answers are not over, oldest first.
    private var expected: [HTTPMethod] = []
    private var interimAnswers = 0
    private var scanner = HTTP1LineScanner()
    private var fields = HTTP1FieldBlock()
    private var body = HTTP1BodyReader(.none)
    private var bodyEndsWithConnection = false
    private var connection = HTTP1InputEnd()

    package init(limits: HTTP1Limits = .standard) { self.limits = limits }

    /// A request was sent: its answer comes next. (An answer to HEAD has no body.)
    package mutating func expectAnswer(to method: HTTPMethod) { expected.append(method) }

    /// Takes bytes from the socket.
    package mutating func append(_ bytes: Span<UInt8>) {
        guard connection.takesBytes else { return }
        connection.bytesCame()
        buffer.append(bytes)
    }

    /// The next event, `nil` when more bytes are needed or no answer is expected. Once it has thrown it throws the same
    /// again.
    package mutating func next() throws(HTTP1DecodeError) -> HTTP1ResponseEvent? {
        try connection.checkNotFailed()
        do throws(HTTP1DecodeError) {
            if let event = try step() { return event }
            try connection.ranOut(isMidMessage: isAnswerOwed)
            return nil
        } catch {
            fail(error)
            throw error
        }
    }

    /// The peer has closed its side. Ends an `untilClose` body (then `next` gives `.end`); throws when an answer is cut
    /// or still owed. If events are left that `next` has not given out, it gives them first and throws then.
    package mutating func finish() throws(HTTP1DecodeError) {
        do throws(HTTP1DecodeError) {
            try connection.close(isMidMessage: isAnswerOwed && !bodyEndsWithConnection)
        } catch {
            fail(error)
            throw error
        }
    }

    /// Bytes taken and not yet given out; anything left after `.end` means the connection must not be used again.
    package var bufferedCount: Int { buffer.count }

    private var isAnswerOwed: Bool { !expected.isEmpty }

    private mutating func fail(_ error: HTTP1DecodeError) {
        connection.fail(error)
        buffer = HTTP1Buffer()
    }

    private mutating func step() throws(HTTP1DecodeError) -> HTTP1ResponseEvent? {
        guard let method = expected.first else { return nil }
        while true {
            switch state {
            case .statusLine:
                let length = try scanner.scan(
                    buffer, for: .status, limit: limits.startLine,
                    breach: HTTP1DecodeError("The status line is too long."))
                guard let length else { return nil }
                state = .fields(try statusLine(length))
                buffer.consume(length + 2)
            case .fields(let line):
                guard try fields.read(&buffer, limits: limits) else { return nil }
                let head = ResponseHead(status: line.status, version: line.version, fields: fields.fields)
                fields = HTTP1FieldBlock()
                return try give(head, to: method)
            case .body:
                switch try body.next(&buffer, limits: limits, isClosed: connection.isClosed) {
                case nil: return nil
                case .bytes(let bytes): return .body(bytes)
                case .end:
                    state = .statusLine
                    bodyEndsWithConnection = false
                    expected.removeFirst()
                    return .end
                }
            }
        }
    }

    private func statusLine(_ length: Int) throws(HTTP1DecodeError) -> HTTP1StatusLine {
        try HTTP1StatusLine(buffer.bytes.span.extracting(buffer.start..<buffer.start + length))
    }

    private mutating func give(
        _ head: ResponseHead, to method: HTTPMethod
    ) throws(HTTP1DecodeError) -> HTTP1ResponseEvent {
        let framing = try HTTP1Framing.response(head, to: method)
        if head.status.isInformational {
            interimAnswers += 1
            guard interimAnswers <= limits.interimAnswers else {
                throw HTTP1DecodeError("There are too many interim answers.")
            }
            state = .statusLine
            return .informational(head)
        }
        interimAnswers = 0
        body = HTTP1BodyReader(framing)
        bodyEndsWithConnection = framing == .untilClose
        state = .body
        return .head(head, framing)
    }
}
