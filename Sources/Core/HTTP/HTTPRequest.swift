/// One request as a responder sees it: the head is there, the body is read when asked for.
package struct HTTPRequest: Sendable {
    package let head: RequestHead
    package let body: RequestBody
    /// Who is at the other end, and by which door it came.
    package let peer: Peer

    package init(head: RequestHead, body: RequestBody = .empty, peer: Peer) {
        self.head = head
        self.body = body
        self.peer = peer
    }
}

/// Why a request body could not be had.
package enum RequestBodyError: Error, Hashable, Sendable {
    /// Longer than the limit. Nothing more is read; the connection closes after the answer.
    case tooLarge(limit: Int)
    /// The peer broke the framing, closed early or was too slow. The server answers by itself if it still can.
    case broken
}

/// A request body that is read piece by piece.
///
/// The server sends `100 Continue` when the first piece is asked for, and never when nobody asks.
package struct RequestBody: Sendable {
    /// How the request announced its body.
    package let framing: BodyFraming
    private let nextPiece: @Sendable () async throws(RequestBodyError) -> [UInt8]?

    package static let empty = RequestBody(framing: .none) { () async throws(RequestBodyError) -> [UInt8]? in nil }

    /// `nextPiece` gives the next bytes, then `nil` at the end of the body.
    package init(
        framing: BodyFraming, nextPiece: @escaping @Sendable () async throws(RequestBodyError) -> [UInt8]?
    ) {
        self.framing = framing
        self.nextPiece = nextPiece
    }

    package func next() async throws(RequestBodyError) -> [UInt8]? { try await nextPiece() }

    /// The whole body, at most `limit` bytes. A body announced as longer is refused before a byte of it is read.
    package func collect(upTo limit: Int) async throws(RequestBodyError) -> [UInt8] {
        if case .length(let length) = framing, length > limit { throw .tooLarge(limit: limit) }
        var whole: [UInt8] = []
        while let piece = try await nextPiece() {
            if whole.count + piece.count > limit { throw .tooLarge(limit: limit) }
            whole += piece
        }
        return whole
    }
}
