/// Gives out a body as its framing says, for either role.
struct HTTP1BodyReader: Sendable {
    enum Piece: Hashable, Sendable {
        case bytes([UInt8])
        case end
    }

    private enum State: Sendable {
        case length(Int)
        case chunked(HTTP1ChunkDecoder)
        case untilClose
        case over
    }

    private var state: State

    init(_ framing: BodyFraming) {
        switch framing {
        case .none: state = .over
        case .length(let length): state = .length(length)
        case .chunked: state = .chunked(HTTP1ChunkDecoder())
        case .untilClose: state = .untilClose
        }
    }

    /// The next piece, `nil` when more bytes are needed.
    mutating func next(
        _ buffer: inout HTTP1Buffer, limits: HTTP1Limits, isClosed: Bool
    ) throws(HTTP1DecodeError) -> Piece? {
        switch state {
        case .over: return .end
        case .length(let remaining):
            guard !buffer.isEmpty else { return nil }
            let bytes = buffer.take(upTo: remaining)
            state = bytes.count < remaining ? .length(remaining - bytes.count) : .over
            return .bytes(bytes)
        case .chunked(var decoder):
            state = .over
            let piece = try decoder.next(&buffer, limits: limits)
            if piece != .end { state = .chunked(decoder) }
            return piece
        case .untilClose:
            if !buffer.isEmpty { return .bytes(buffer.take(upTo: buffer.count)) }
            return isClosed ? .end : nil
        }
    }
}
