import Core
import Transport

/// One request and its answer on a connection.
struct ClientExchange: Sendable {
    struct Answer: Sendable {
        let response: InboundResponse
        /// The connection is as it was before and may serve again.
        let isReusable: Bool
    }

    struct Failure: Error {
        let reason: SendFailure.Reason
        /// A byte of the request was handed to the kernel, or to TLS.
        let bytesLeft: Bool
        /// A byte of the answer has come.
        let answerBegan: Bool

        /// On a connection that had served before, and may have died unseen: nothing was sent, or nothing came back and
        /// the request does no harm twice (RFC 9112, section 9.3.1).
        func mayBeSentAgain(_ request: OutboundRequest) -> Bool {
            reason == .closed && !answerBegan && (!bytesLeft || request.mayRepeat)
        }
    }

    private let request: OutboundRequest
    private let head: [UInt8]
    private let now: @Sendable () -> Instant
    private let end: Instant

    /// `nil` when the request could not stand on the wire: a line end in a field, a blank in the target.
    init?(_ request: OutboundRequest, authority: String, now: @escaping @Sendable () -> Instant, end: Instant) {
        guard request.target.hasPrefix("/") else { return nil }
        var fields: HTTPFields = [HTTPField("host", authority)]
        for field in request.fields.lines where !ClientExchange.own.contains(field.name) { fields.append(field) }
        if !fields.contains("user-agent") { fields.append("user-agent", "countersign") }
        if !request.body.isEmpty || ClientExchange.carriesBody(request.method) {
            fields.append("content-length", String(request.body.count))
        }
        let head = RequestHead(
            method: request.method, target: .origin(path: request.target, query: nil), fields: fields)
        guard let encoded = HTTP1Encoder.encode(head) else { return nil }
        self.request = request
        self.head = encoded
        self.now = now
        self.end = end
    }

    /// Fields that are the client's business alone.
    private static let own: [HTTPFieldName] = ["host", "content-length", "transfer-encoding", "connection", "expect"]

    private static func carriesBody(_ method: HTTPMethod) -> Bool {
        method == .post || method == .put || method == .patch
    }

    func run(on stream: any Connection) async throws(Failure) -> Answer {
        let before = await stream.bytesSent
        var isSent = true
        do throws(StreamError) { try await write(to: stream) } catch {
            let bytesLeft = await stream.bytesSent > before
            // The service may have answered before it had the whole request, and closed.
            guard case .lost = error, bytesLeft else {
                throw Failure(reason: error.reason, bytesLeft: bytesLeft, answerBegan: false)
            }
            isSent = false
        }
        try request.sentPoint?.reached(
            orThrow: Failure(reason: .closed, bytesLeft: true, answerBegan: false))
        var reader = AnswerReader(to: request.method, limit: request.limits.body, receive: request.receive)
        do throws(AnswerReader.Failure) {
            let response = try await read(&reader, from: stream)
            return Answer(response: response, isReusable: isSent && reader.leavesConnectionUsable)
        } catch {
            throw Failure(reason: error.reason, bytesLeft: true, answerBegan: reader.hasBegun)
        }
    }

    /// A body up to this size is sent with its head in one go.
    private static let smallBody = 32 * 1024

    private func write(to stream: any Connection) async throws(StreamError) {
        if request.body.count <= ClientExchange.smallBody {
            try await stream.write(.bytes(head + request.body), more: false, by: end)
        } else {
            try await stream.write(.bytes(head), more: true, by: end)
            try await stream.write(.bytes(request.body), more: false, by: end)
        }
    }

    private func read(
        _ reader: inout AnswerReader, from stream: any Connection
    ) async throws(AnswerReader.Failure) -> InboundResponse {
        let firstByte = min(now() + request.limits.firstByte, end)
        while true {
            let bytes: [UInt8]?
            do throws(StreamError) {
                bytes = try await stream.read(by: reader.hasBegun ? end : firstByte)
            } catch { throw AnswerReader.Failure(reason: error.reason) }
            if let response = try reader.take(bytes) { return response }
        }
    }
}

extension StreamError {
    /// What it means for an exchange that is under way.
    fileprivate var reason: SendFailure.Reason {
        switch self {
        case .closed, .lost: .closed
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        }
    }
}
