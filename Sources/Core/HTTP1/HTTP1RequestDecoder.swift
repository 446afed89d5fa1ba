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
    package init(limits: HTTP1Limits = .standard) {}

    /// Takes bytes from the socket.
    package mutating func append(_ bytes: Span<UInt8>) { fatalError() }

    /// The next event, `nil` when more bytes are needed. Once it has thrown it throws the same again.
    package mutating func next() throws(HTTP1DecodeError) -> HTTP1RequestEvent? { fatalError() }

    /// The peer has closed its side: throws when that cuts a message.
    package mutating func finish() throws(HTTP1DecodeError) { fatalError() }

    /// Has any byte of a next message come that is not yet given out by `next`?
    package var isMidMessage: Bool { fatalError() }
    /// Bytes taken and not yet given out.
    package var bufferedCount: Int { fatalError() }
}
