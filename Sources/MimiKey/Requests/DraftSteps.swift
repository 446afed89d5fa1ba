import Core

/// Decides what follows in an update, from the draft to the card: what gets lost on the way must neither make a second card
/// nor lose the first (protocol §5).
///
/// A draft shows no card. It becomes one by the upload of its patch, or runs out after 60 s. So another draft is made only
/// when this one certainly never becomes a card, and only once.
struct DraftSteps: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Hand the patch over, after a pause.
        case upload(after: Duration)
        /// The patch may have arrived: see what became of the draft, after a pause.
        case look(after: Duration)
        /// It may still arrive, and late: take the draft back, so that it cannot become a card.
        case retract
        /// It never becomes a card: make another draft.
        case replace
        /// There is a card, or there was one.
        case done(RequestSnapshot)
        case fail(Problem)
    }

    /// [ours] Later than this after the draft was asked for, its patch is not sent any more.
    static let longest = Duration.seconds(45)
    /// [ours] MimiKey lets a draft run out after 60 s [D]. Whoever cannot find out what became of it gives up here.
    static let patience = Duration.seconds(75)
    /// [ours] Uploads and looks at the account that certainly did nothing and are made again.
    static let mostPauses = 4

    private let madeAt: Instant
    private let isSecond: Bool
    private var pauses = 0
    private var mayHaveArrived = false

    /// - Parameter madeAt: when the draft was asked for.
    init(madeAt: Instant, isSecond: Bool) {
        self.madeAt = madeAt
        self.isSecond = isSecond
    }

    /// The box is sealed: now, if it is not too late.
    func step(at now: Instant) -> Step {
        now - madeAt < Self.longest ? .upload(after: .zero) : tooLate(at: now)
    }

    private func tooLate(at now: Instant) -> Step {
        guard mayHaveArrived else { return orLost(.replace) }
        return now - madeAt < Self.patience ? .retract : .fail(.outcomeUnknown)
    }

    /// 1, 2, 4 and 8 s; `nil` when it has been enough, or it would become too late.
    mutating func pause(at now: Instant) -> Duration? {
        let pause = Duration.seconds(1 << pauses)
        guard pauses < Self.mostPauses, now + pause - madeAt < Self.longest else { return nil }
        pauses += 1
        return pause
    }

    mutating func uploaded(_ answer: Result<RequestSnapshot, CallFailure>, at now: Instant) -> Step {
        switch answer {
        case .success(let snapshot):
            mayHaveArrived = true
            return snapshot.state == .draft ? .look(after: .zero) : .done(snapshot)
        case .failure(let failure):
            if failure.mayHaveActed || failure.code == Wire.Code.requestNotDraft {
                mayHaveArrived = true
                return failure.isCancellation ? .fail(failure.problem) : .look(after: .zero)
            }
            guard failure.mayPass || isUnseen(failure, at: now) else { return .fail(failure.problem) }
            if let pause = pause(at: now) { return .upload(after: pause) }
            // What was sent before may still arrive.
            return mayHaveArrived ? .retract : .fail(failure.problem)
        }
    }

    /// A draft that has just been made may not have reached every replica.
    private func isUnseen(_ failure: CallFailure, at now: Instant) -> Bool {
        failure.code == Wire.Code.requestNotFound && now - madeAt < PollVerdict.replicaLag
    }

    mutating func looked(_ answer: Result<RequestSnapshot, CallFailure>, at now: Instant) -> Step {
        switch answer {
        case .success(let snapshot):
            switch snapshot.state {
            // A replica that is behind may say so, too: so it takes longer and longer until the next upload.
            case .draft: return pause(at: now).map { .upload(after: $0) } ?? tooLate(at: now)
            case .expired: return orLost(.replace)
            case .pending, .approved, .completed, .denied, .cancelled, .failed: return .done(snapshot)
            }
        case .failure(let failure): return unanswered(failure, at: now)
        }
    }

    func retracted(_ answer: Result<RequestSnapshot, CallFailure>, at now: Instant) -> Step {
        switch answer {
        case .success(let snapshot):
            switch snapshot.state {
            case .cancelled, .expired: return orLost(.replace)
            case .draft: return unsure(at: now)
            case .pending, .approved, .completed, .denied, .failed: return .done(snapshot)
            }
        case .failure(let failure):
            return failure.code == Wire.Code.requestNotPending ? unsure(at: now) : unanswered(failure, at: now)
        }
    }

    private func unanswered(_ failure: CallFailure, at now: Instant) -> Step {
        switch PollVerdict(on: failure, age: now - madeAt) {
        case .answered, .failed: unsure(at: now)
        case .final(let problem): .fail(problem)
        }
    }

    private func unsure(at now: Instant) -> Step {
        now - madeAt < Self.patience ? .look(after: .seconds(2)) : .fail(.outcomeUnknown)
    }

    private func orLost(_ step: Step) -> Step {
        isSecond ? .fail(.draftLost) : step
    }
}

extension Problem {
    static let draftLost = Problem(.draftLost, "The draft ran out before its patch had come; there is no card.")
}

extension CallFailure {
    fileprivate var code: ErrorCode? {
        if case .refused(let refusal) = self { refusal.code } else { nil }
    }

    fileprivate var isCancellation: Bool {
        if case .transport(let failure) = self { failure.reason == .cancelled } else { false }
    }

    /// Nothing was done, and the same may be done a moment later.
    fileprivate var mayPass: Bool {
        switch self {
        case .transport(let failure): failure.reason != .cancelled && failure.problem.retryable
        case .refused(let refusal): refusal.code == Wire.Code.databaseError
        case .ours: false
        }
    }
}
