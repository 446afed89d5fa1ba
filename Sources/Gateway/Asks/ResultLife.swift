import Core

/// How long a result can be had: until 60 s after its first complete delivery, at most 10 minutes after completion.
struct ResultLife: Hashable, Sendable {
    enum State: String, Hashable, Sendable {
        case held
        /// It was delivered, and its time is over.
        case released
        /// Nobody fetched it in time.
        case expired
    }

    static let afterDelivery = Duration.seconds(60)
    static let afterCompletion = Duration.seconds(600)

    let completedAt: Instant
    /// The first time that an answer with the result was taken completely.
    private(set) var deliveredAt: Instant?

    init(completedAt: Instant) { self.completedAt = completedAt }

    mutating func delivered(at now: Instant) {
        if deliveredAt == nil { deliveredAt = now }
    }

    /// The first instant at which the result is no longer held, as far as is known.
    var end: Instant {
        let latest = completedAt + Self.afterCompletion
        return deliveredAt.map { min($0 + Self.afterDelivery, latest) } ?? latest
    }

    func state(at now: Instant) -> State {
        if now < end { return .held }
        return deliveredAt == nil ? .expired : .released
    }
}
