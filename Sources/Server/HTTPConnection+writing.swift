import Core
import Transport

extension HTTPConnection {
    /// Writes one answer. Throws `last` after it when the connection is to end.
    func write(
        _ response: HTTPResponse, to request: RequestHead?, closes: Bool, abrupt: Bool = false
    ) async throws(Ending) {
        guard !response.mischief.isWithheld else {
            response.isOver(complete: false)
            throw .silent
        }
        mischievousIdle = response.mischief.idle
        let date = HTTPDate.format(service.time.wall() + response.mischief.dateOffset)
        let plan = ResponsePlan(response, to: request, closes: closes, date: date)
        guard !response.status.isInformational, let head = HTTP1Encoder.encode(plan.head) else {
            response.isOver(complete: false)
            service.log(LogEvent(.error, "an answer could not be written as HTTP"))
            return try await writeUnwritable(to: request, date: date)
        }
        do throws(Ending) { try await write(head, plan.body) } catch {
            response.isOver(complete: false)
            throw error
        }
        response.isOver(complete: true)
        if plan.closes { throw .last(abrupt: abrupt) }
    }

    /// What stands in for an answer that has a line end in a field.
    private func writeUnwritable(to request: RequestHead?, date: String) async throws(Ending) {
        let response = service.problem(.unwritable)
        let plan = ResponsePlan(response, to: request, closes: true, date: date)
        guard let head = HTTP1Encoder.encode(plan.head) else { throw .silent }
        try await write(head, plan.body)
        throw .last(abrupt: false)
    }

    /// A body up to this size is sent with its head in one go.
    private static let smallBody = 32 * 1024

    private func write(_ head: [UInt8], _ body: ResponsePlan.Body) async throws(Ending) {
        switch body {
        case .none: try await send(.bytes(head))
        case .whole(let bytes) where bytes.count <= Self.smallBody: try await send(.bytes(head + bytes))
        case .whole(let bytes):
            try await send(.bytes(head), more: true)
            try await send(.bytes(bytes))
        case .sensitive(let bytes):
            try await send(.bytes(head), more: bytes.count > 0)
            try await send(.sensitive(bytes))
        case .chunked(let produce):
            try await send(.bytes(head))
            try await stream(produce, inChunks: true)
            try await send(.bytes(HTTP1Encoder.lastChunk))
        case .untilClose(let produce):
            try await send(.bytes(head))
            try await stream(produce, inChunks: false)
        }
    }

    private func send(_ outgoing: Outgoing, more: Bool = false) async throws(Ending) {
        do {
            try await stream.write(
                outgoing, more: more, by: service.time.now() + service.limits.write, pace: service.limits.pace)
        } catch {
            // A part of an answer may have gone out.
            throw .cut
        }
    }

    // MARK: Streaming

    private func stream(
        _ produce: @escaping @Sendable (any BodyWriter) async throws -> Void, inChunks: Bool
    ) async throws(Ending) {
        guard let number = exchange?.number else { throw .cut }
        let writer = StreamedBody(connection: self, exchange: number, inChunks: inChunks)
        let isWhole = await cancellable {
            do {
                try await produce(writer)
                return true
            } catch { return false }
        }
        let current = exchange
        exchange?.hasLostWriter = true
        guard isWhole, current?.hasLostWriter == false, current?.isBeingWritten == false else { throw .cut }
    }

    /// Writes a piece of a streamed body.
    fileprivate func writePiece(_ bytes: [UInt8], of number: Int, inChunks: Bool) async throws(StreamError) {
        guard let current = exchange, current.number == number, !current.hasLostWriter, !current.isBeingWritten else {
            throw .closed
        }
        if bytes.isEmpty { return }
        exchange?.isBeingWritten = true
        do throws(StreamError) {
            let piece = inChunks ? HTTP1Encoder.chunk(bytes) : bytes
            try await stream.write(
                .bytes(piece), by: service.time.now() + service.limits.write, pace: service.limits.pace)
            exchange?.isBeingWritten = false
        } catch {
            exchange?.isBeingWritten = false
            exchange?.hasLostWriter = true
            throw error
        }
    }
}

/// Where a responder writes a streamed body to. Good for one exchange only, one piece at a time.
private struct StreamedBody: BodyWriter {
    let connection: HTTPConnection
    let exchange: Int
    let inChunks: Bool

    func write(_ bytes: [UInt8]) async throws {
        try await connection.writePiece(bytes, of: exchange, inChunks: inChunks)
    }
}

extension HTTPResponse {
    /// Nothing more will be written of it: a sensitive body is wiped, and who wants to know is told. To be called once.
    func isOver(complete: Bool) {
        if case .sensitive(let bytes) = body { bytes.wipe() }
        delivered?(complete)
    }
}
