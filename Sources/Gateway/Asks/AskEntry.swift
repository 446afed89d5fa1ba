import Core
import Strongbox

/// An ask that is open, or whose result is held: the journalled row and what lives with the process.
struct AskEntry {
    /// How far the making of the card has got.
    enum Creation {
        /// Not answered yet by MimiKey.
        case underWay
        case done
        /// No card was made, or it is not known: what the asker is told.
        case refused(Problem)

        var isUnderWay: Bool {
            switch self {
            case .underWay: true
            case .done, .refused: false
            }
        }
    }

    var ask: Ask
    var creation: Creation
    let joinKey: JoinKey
    /// Whether somebody certainly has the id. Until then nobody could take the ask back, or fetch its result.
    var reachedSomeone: Bool

    /// What an `update_item` is to write, until MimiKey has it.
    var patch: SecretBody?
    /// Does the rule let MimiKey hand the item over without a card?
    var allowsTrust = false
    /// MimiKey did so.
    var isUntapped = false

    /// The sealed result, base64url as it came. Never opened in here.
    var sealedResult: String?
    /// Of a completed ask.
    var life: ResultLife?
    /// Of an ask that was refused, or that may have left a card: so long the same wish finds this ask, and makes no second
    /// card.
    var rememberedUntil: Instant?
    /// It has changed since it was last written down, because writing failed.
    var isUnwritten = false
    var openError: ErrorCode?
    var appError: ErrorCode?

    /// Somebody takes it back, and will end it.
    var isBeingTakenBack = false
    /// Its id has reached nobody: then it is given up.
    var abandonedAt: Instant?
    /// When somebody last asked for its card to be shown again.
    var retriedAt: Instant?

    /// Counts what ends the current waits before the ask is finished.
    var interruptions = 0
    /// Requests that hold on to the entry.
    var visitors = 0
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    /// Says to the poller that a look is worth it.
    var hints: AsyncStream<Void>.Continuation?

    init(_ ask: Ask, creation: Creation, reachedSomeone: Bool) {
        self.ask = ask
        self.creation = creation
        self.reachedSomeone = reachedSomeone
        joinKey = JoinKey(ask.call)
    }

    var isOpen: Bool { !ask.state.isFinished }
    /// The request for its card is under way.
    var isBeingMade: Bool { isOpen && creation.isUnderWay }

    /// A draft of a process that has ended: nobody has its patch any more.
    var isLostDraft: Bool { ask.call.op == .updateItem && ask.state == .draft && !creation.isUnderWay }

    /// When it is given up, if it is open; when what it holds after its end goes; `nil` when there is nothing of that.
    var due: Instant? { isOpen ? abandonedAt : life?.end ?? rememberedUntil }

    /// Would a second ask for the same be this one? Open, or completed and not yet delivered, or remembered.
    func isJoinable(at now: Instant) -> Bool {
        if isOpen { return true }
        if let rememberedUntil { return now < rememberedUntil }
        guard ask.state == .completed, let life else { return false }
        return life.deliveredAt == nil && life.state(at: now) == .held
    }

    /// What an opened or lost window says about the result.
    func view(at now: Instant, joined: Bool = false, downloadURL: String?) -> AskView {
        AskView(
            ask: ask, joined: joined, openError: openError, downloadURL: downloadURL, appError: appError,
            resultState: ask.hasBox ? life?.state(at: now) ?? .expired : nil)
    }
}

/// What a request for an ask is answered with.
enum AskAnswer: Sendable {
    case view(AskView)
    /// It is as the asker has it already.
    case unchanged(AskView)
    /// With the result: the whole resource, in locked memory.
    case released(AskView, any SensitiveBytes)
}
