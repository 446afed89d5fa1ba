import Core

/// MimiKey takes at most 100 unfinished requests of a grant. Our own limit is below; should it say so all the same, nobody
/// storms it.
extension AskBook {
    private static let tooManyRequests = ErrorCode("too_many_requests")

    func checkBackOff() throws(Problem) {
        guard let remaining = cardBackOff.remaining(at: time.now()) else { return }
        throw Problem(
            Self.tooManyRequests, "MimiKey has too many unfinished requests of this grant, and is not asked now.",
            retryAfter: remaining)
    }

    /// What the asker is told of a card that MimiKey refused.
    func backingOff(after problem: Problem) -> Problem {
        guard problem.code == Self.tooManyRequests else { return problem }
        var told = problem
        told.retryAfter = cardBackOff.refused(at: time.now(), retryAfter: problem.retryAfter)
        return told
    }
}
