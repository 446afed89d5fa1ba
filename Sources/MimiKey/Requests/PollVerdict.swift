import Core

/// What a poll without a usable answer means for the wait: the person may still be looking at the card, so only what
/// cannot get better ends it.
enum PollVerdict: Hashable, Sendable {
    /// MimiKey answered something: keep the cadence.
    case answered(retryAfter: Duration?)
    /// No answer.
    case failed
    case final(Problem)

    /// [ours] A request that is not found and younger than this may not have reached every replica.
    static let replicaLag = Duration.seconds(10)

    /// - Parameter age: how long the request has been followed.
    init(on failure: CallFailure, age: Duration) {
        switch failure {
        case .transport(let reason):
            self = reason.reason == .cancelled ? .final(reason.problem) : .failed
        case .refused(let refusal):
            self = Self.verdict(on: refusal, age: age)
        case .ours(let problem):
            self = Self.verdict(on: problem)
        }
    }

    private static func verdict(on refusal: Refusal, age: Duration) -> PollVerdict {
        switch refusal.status.code {
        case 404 where age < replicaLag: .answered(retryAfter: refusal.retryAfter)
        // Two nonces in a row that nobody can have used before: something is badly wrong.
        case 401 where refusal.code == Wire.Code.nonceReplayed: .final(refusal.problem)
        // Tokens that were just refreshed are a matter of the next attempt.
        case 401, 408, 429: .answered(retryAfter: refusal.retryAfter)
        case 400..<500: .final(refusal.problem)
        default: .answered(retryAfter: refusal.retryAfter)
        }
    }

    /// `revoked`, `not_authorized` and `refresh_unknown` wait for the operator, which no card outlives.
    private static func verdict(on problem: Problem) -> PollVerdict {
        switch problem.code {
        // A certificate may be put right while the person still looks at the card.
        case .upstreamUnreachable, .upstreamTimeout, .upstreamCertificate, .upstreamTLS: .failed
        case .malformedResponse, .storage, .clockSkew: .answered(retryAfter: problem.retryAfter)
        default: problem.retryable ? .answered(retryAfter: problem.retryAfter) : .final(problem)
        }
    }
}
