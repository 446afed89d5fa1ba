import Core
import TestSupport

/// What a decoder made of some bytes, in the words of the vector files.
struct HTTP1Outcome: Hashable {
    enum End: Hashable {
        /// All bytes are used and no message is open.
        case accepted
        /// The bytes end in the middle of a message.
        case waiting
        case refused(HTTP1DecodeError)
    }

    /// One line for each event; the pieces of a body are put together.
    private(set) var lines: [String] = []
    private(set) var end = End.accepted
    private var body: [UInt8] = []

    var bodyCount: Int { lines.filter { $0.hasPrefix("body ") }.count }

    static func request(
        _ pieces: [ArraySlice<UInt8>], limits: HTTP1Limits = .standard, closes: Bool = false
    ) -> HTTP1Outcome {
        var decoder = HTTP1RequestDecoder(limits: limits)
        var outcome = HTTP1Outcome()
        do throws(HTTP1DecodeError) {
            for piece in pieces {
                decoder.append(Array(piece).span)
                while let event = try decoder.next() { outcome.add(event) }
            }
            if closes { try decoder.finish() }
            outcome.end = decoder.isMidMessage ? .waiting : .accepted
        } catch {
            outcome.end = .refused(error)
        }
        outcome.flush()
        return outcome
    }

    static func response(
        _ pieces: [ArraySlice<UInt8>], to methods: [HTTPMethod], limits: HTTP1Limits = .standard, closes: Bool = false
    ) -> HTTP1Outcome {
        var decoder = HTTP1ResponseDecoder(limits: limits)
        for method in methods { decoder.expectAnswer(to: method) }
        var outcome = HTTP1Outcome()
        var ends = 0
        do throws(HTTP1DecodeError) {
            for piece in pieces {
                decoder.append(Array(piece).span)
                while let event = try decoder.next() {
                    outcome.add(event)
                    if event == .end { ends += 1 }
                }
            }
            if closes {
                try decoder.finish()
                while let event = try decoder.next() {
                    outcome.add(event)
                    if event == .end { ends += 1 }
                }
            }
            outcome.end = ends < methods.count ? .waiting : .accepted
            if decoder.bufferedCount > 0, outcome.end == .accepted {
                outcome.lines.append("left \(decoder.bufferedCount)")
            }
        } catch {
            outcome.end = .refused(error)
        }
        outcome.flush()
        return outcome
    }

    private mutating func add(_ event: HTTP1RequestEvent) {
        switch event {
        case .head(let head, let framing):
            lines.append("head \(head.method) \(text(head.target)) \(text(head.version)) \(text(framing))")
            add(head.fields)
        case .body(let bytes): body += bytes
        case .end:
            flush()
            lines.append("end")
        }
    }

    private mutating func add(_ event: HTTP1ResponseEvent) {
        switch event {
        case .informational(let head):
            lines.append("interim \(head.status)")
            add(head.fields)
        case .head(let head, let framing):
            lines.append("head \(head.status) \(text(head.version)) \(text(framing))")
            add(head.fields)
        case .body(let bytes): body += bytes
        case .end:
            flush()
            lines.append("end")
        }
    }

    private mutating func add(_ fields: HTTPFields) {
        for field in fields.lines { lines.append("field \(field.name): \(EscapedBytes.escape(field.value))") }
    }

    private mutating func flush() {
        if !body.isEmpty { lines.append("body \(EscapedBytes.escape(body))") }
        body = []
    }

    private func text(_ version: HTTPVersion) -> String {
        switch version {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }

    private func text(_ target: RequestTarget) -> String {
        switch target {
        case .origin(let path, let query?): "\(path)?\(query)"
        case .origin(let path, nil): path
        case .authority(let authority): authority
        case .asterisk: "*"
        }
    }

    private func text(_ framing: BodyFraming) -> String {
        switch framing {
        case .none: "none"
        case .length(let length): "length=\(length)"
        case .chunked: "chunked"
        case .untilClose: "until-close"
        }
    }
}
