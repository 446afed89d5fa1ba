package enum HTTP1ResponseEvent: Hashable, Sendable {
    /// 1xx: the real answer follows.
    case informational(ResponseHead)
    case head(ResponseHead, BodyFraming)
    case body([UInt8])
    case end
}

/// Turns the bytes of a connection to a service into its answers (RFC 9112).
package struct HTTP1ResponseDecoder: Sendable {
    package init(limits: HTTP1Limits = .standard) {}

    /// A request was sent: its answer comes next. (An answer to HEAD has no body.)
    package mutating func expectAnswer(to method: HTTPMethod) { fatalError() }
    package mutating func append(_ bytes: Span<UInt8>) { fatalError() }
    package mutating func next() throws(HTTP1DecodeError) -> HTTP1ResponseEvent? { fatalError() }
    /// The peer has closed its side. Ends an `untilClose` body (then `next` gives `.end`); throws when a message is cut.
    package mutating func finish() throws(HTTP1DecodeError) { fatalError() }
    /// Bytes taken and not yet given out; anything left after `.end` means the connection must not be used again.
    package var bufferedCount: Int { fatalError() }
}
