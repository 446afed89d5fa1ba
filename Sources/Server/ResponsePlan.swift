import Core

/// How an answer goes on the wire: its head with the framing fields, and what follows it.
struct ResponsePlan {
    enum Body {
        case none
        case whole([UInt8])
        case sensitive(any SensitiveBytes)
        case chunked(@Sendable (any BodyWriter) async throws -> Void)
        /// The end of the connection is the end of the body: for a client of HTTP/1.0.
        case untilClose(@Sendable (any BodyWriter) async throws -> Void)
    }

    let head: ResponseHead
    let body: Body
    /// The connection ends after this answer.
    let closes: Bool

    /// Fields that say how a message is framed or what becomes of the connection are the server's alone.
    private static let own: [HTTPFieldName] = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "date", "upgrade", "trailer",
    ]

    /// - Parameters:
    ///   - request: what is answered; `nil` when it could not be read.
    ///   - closes: the connection is to end for reasons of its own.
    init(_ response: HTTPResponse, to request: RequestHead?, closes: Bool, date: String) {
        let isHead = request?.method == .head
        let isOld = request?.version == .http10
        let announced = isHead ? Self.announcedLength(response) : nil
        var fields = response.fields
        for name in Self.own { fields.remove(name) }
        fields.append("date", date)

        var closes = closes
        var body: Body
        if response.status.forbidsBody {
            body = .none
        } else {
            switch response.body {
            case .none:
                fields.append("content-length", announced ?? "0")
                body = .none
            case .bytes(let bytes):
                fields.append("content-length", String(bytes.count))
                body = .whole(bytes)
            case .sensitive(let bytes):
                fields.append("content-length", String(bytes.count))
                body = .sensitive(bytes)
            case .stream(let produce) where isOld:
                closes = true
                body = .untilClose(produce)
            case .stream(let produce):
                fields.append("transfer-encoding", "chunked")
                body = .chunked(produce)
            }
        }
        if isHead {
            body = .none
            if response.standsInForHead { fields.remove("content-length") }
        }
        if closes {
            fields.append("connection", "close")
        } else if isOld {
            fields.append("connection", "keep-alive")
        }
        head = ResponseHead(status: response.status, version: .http11, fields: fields)
        self.body = body
        self.closes = closes
    }

    /// A responder that answers HEAD without making the body may say how long it would be.
    private static func announcedLength(_ response: HTTPResponse) -> String? {
        guard let text = response.fields.text("content-length"), let length = Int(text), length >= 0 else { return nil }
        return String(length)
    }
}
