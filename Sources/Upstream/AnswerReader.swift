import Core

/// Puts an answer together from the bytes of a connection.
struct AnswerReader {
    struct Failure: Error, Hashable {
        let reason: SendFailure.Reason
    }

    private var decoder = HTTP1ResponseDecoder()
    private let limit: Int
    private let receive: (@Sendable ([UInt8]) -> Void)?
    private var head: ResponseHead?
    private var endsWithConnection = false
    private var body: [UInt8] = []
    private var isOver = false
    /// A byte of the answer has come.
    private(set) var hasBegun = false

    /// - Parameters:
    ///   - limit: the most bytes of a body that is kept.
    ///   - receive: takes each piece of a successful answer's body, which is not kept then.
    init(to method: HTTPMethod, limit: Int, receive: (@Sendable ([UInt8]) -> Void)? = nil) {
        self.limit = limit
        self.receive = receive
        decoder.expectAnswer(to: method)
    }

    /// The answer is over, and neither it nor a byte after it speaks against another request on the connection.
    var leavesConnectionUsable: Bool {
        guard isOver, let head else { return false }
        return head.keepsAlive && !endsWithConnection && decoder.bufferedCount == 0
    }

    /// Takes what was read, `nil` at the end of the connection; gives the answer when it is complete.
    mutating func take(_ bytes: [UInt8]?) throws(Failure) -> InboundResponse? {
        guard let bytes else {
            do { try decoder.finish() } catch { throw Failure(reason: .closed) }
            return try advance(orElse: .closed)
        }
        hasBegun = true
        decoder.append(bytes.span)
        return try advance(orElse: nil)
    }

    /// - Parameter reason: why it is a failure that no answer is complete; `nil` when more bytes may come.
    private mutating func advance(orElse reason: SendFailure.Reason?) throws(Failure) -> InboundResponse? {
        while true {
            switch try event() {
            // Nothing was asked that could lead to another protocol.
            case .informational(let head) where head.status == 101: throw Failure(reason: .malformed)
            case .informational: continue
            case .head(let head, let framing):
                if case .length(let length) = framing, length > limit { throw Failure(reason: .answerTooLarge) }
                self.head = head
                endsWithConnection = framing == .untilClose
            case .body(let piece):
                if let receive, head?.status.isSuccess == true {
                    receive(piece)
                    continue
                }
                guard body.count + piece.count <= limit else { throw Failure(reason: .answerTooLarge) }
                body += piece
            case .end:
                guard let head else { throw Failure(reason: .malformed) }
                isOver = true
                return InboundResponse(status: head.status, fields: head.fields, body: body)
            case nil:
                if let reason { throw Failure(reason: reason) }
                return nil
            }
        }
    }

    private mutating func event() throws(Failure) -> HTTP1ResponseEvent? {
        do { return try decoder.next() } catch { throw Failure(reason: .malformed) }
    }
}
