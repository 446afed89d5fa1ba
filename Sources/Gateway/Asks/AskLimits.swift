import Core

/// Decides whether one more ask may be opened. There is no queue: what is too much is refused, with the time to come back.
enum AskLimits {
    static let retryAfter = Duration.seconds(5)

    /// - Parameters:
    ///   - ofCaller: the caller's unfinished asks.
    ///   - ofAll: everybody's.
    static func admit(ofCaller: Int, limit: Int, ofAll: Int, gatewayLimit: Int) throws(Problem) {
        if ofCaller >= limit {
            throw Problem(
                .tooManyPending, "This caller has \(limit) open asks, which is its limit; wait for one to end.",
                retryAfter: retryAfter)
        }
        if ofAll >= gatewayLimit {
            throw Problem(
                .tooManyPending, "The gateway has \(gatewayLimit) open asks, which is its limit.",
                retryAfter: retryAfter)
        }
    }
}
