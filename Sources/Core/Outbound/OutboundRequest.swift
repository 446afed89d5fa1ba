/// A request to a service, as it will stand on the wire. `Host` and `Content-Length` are added by the client.
package struct OutboundRequest: Sendable {
    package var method: HTTPMethod
    /// Path and query as they go on the request line; starts with `/`.
    package var target: String
    package var fields: HTTPFields
    package var body: [UInt8]
    /// May the client send it again on another connection when it cannot know whether it arrived? Polls may; what
    /// makes a card, or spends a code or a refresh token, may not.
    package var mayRepeat: Bool
    /// Goes over a connection that is made for it: one that was kept may be ended by the service at this moment, and then
    /// nobody could say whether the request had arrived. For what may not be repeated and costs something.
    package var wantsNewConnection: Bool
    package var limits: ExchangeLimits
    /// Is given the body piece by piece, as it comes; the answer has none then. For an answer that goes on and on.
    package var receive: (@Sendable ([UInt8]) -> Void)?
    /// Reached when the whole request was handed to the kernel.
    package var sentPoint: FaultPoint?

    package init(
        method: HTTPMethod, target: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = [],
        mayRepeat: Bool, wantsNewConnection: Bool = false, limits: ExchangeLimits = .standard,
        receive: (@Sendable ([UInt8]) -> Void)? = nil,
        sentPoint: FaultPoint? = nil
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.mayRepeat = mayRepeat
        self.wantsNewConnection = wantsNewConnection
        self.limits = limits
        self.receive = receive
        self.sentPoint = sentPoint
    }
}

/// The time and size limits of one exchange with a service.
package struct ExchangeLimits: Hashable, Sendable {
    /// A free place among the connections, the look-up of the name, and the connection.
    package var connect: Duration
    /// The TLS handshake.
    package var tls: Duration
    /// From the last byte of the request to the first of the answer.
    package var firstByte: Duration
    /// The whole exchange.
    package var total: Duration
    /// Bytes of an answer's body; more is `answerTooLarge`.
    package var body: Int

    package init(
        connect: Duration, tls: Duration = .seconds(5), firstByte: Duration, total: Duration, body: Int
    ) {
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
        self.body = body
    }

    package static let standard = ExchangeLimits(
        connect: .seconds(5), firstByte: .seconds(15), total: .seconds(30), body: 8 << 20)
}

/// A complete answer of a service.
package struct InboundResponse: Sendable {
    package let status: HTTPStatus
    package let fields: HTTPFields
    package let body: [UInt8]

    package init(status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Why there is no complete answer.
package struct SendFailure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The name did not resolve.
        case nameNotFound
        /// No connection: refused, unreachable or not in time.
        case connectFailed
        /// Connected, but not to a service that we believe, or can speak with.
        case tls(TLSFault)
        /// The connection ended, or an answer's body was cut short.
        case closed
        /// A time limit passed while the request or the answer was under way.
        case timedOut
        /// What came back is not HTTP as we accept it.
        case malformed
        case answerTooLarge
        /// The calling task was cancelled.
        case cancelled
    }

    package let reason: Reason
    /// `false`: certainly no byte of the request left this process, so sending it again cannot do it twice.
    package let bytesMayHaveLeft: Bool

    package init(_ reason: Reason, bytesMayHaveLeft: Bool) {
        self.reason = reason
        self.bytesMayHaveLeft = bytesMayHaveLeft
    }
}

/// Sends a request and gives the complete answer: the seam to what is called. `Upstream` makes the real one; a test
/// hands in a closure.
package typealias Send = @Sendable (OutboundRequest) async throws(SendFailure) -> InboundResponse
