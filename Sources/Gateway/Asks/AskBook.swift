import Core
import MimiKey
import Strongbox

/// Every ask that is open, and every result that is held: one card per wish, journalled before it is asked for.
///
/// Requests wait here; what must go on without them (making a card, polling, timers) are jobs that `run` carries out, so
/// that a caller that hangs up ends its wait and not the ask.
actor AskBook {
    struct Settings: Sendable {
        var clientID: String
        /// Is there a program that shows a card?
        var opens: Bool
        var downloadURL: String?
        /// Unfinished asks of all callers.
        var open: Int
    }

    static let unknownAsk = Problem(.notFound, "This caller has no such ask.")
    static let noSuchAsk = Problem(.notFound, "There is no such ask.")
    /// How long a finished ask can be read.
    static let readable = Duration.seconds(24 * 3600)
    /// How long an ask that was refused, or whose answer was lost, is remembered.
    static let memory = Duration.seconds(600)
    /// Asks of one caller that are remembered because their answers were lost.
    static let mostLostAnswers = 100
    /// An ask whose id has reached nobody is taken back after this.
    static let patience = Duration.seconds(90)

    let settings: Settings
    let store: Store
    let client: MimiKeyClient
    let opener: Opener
    let time: TimeSource
    let log: LogSink

    var entries: [AskID: AskEntry] = [:]
    /// The ask that a second one for the same thing joins.
    var joins: [JoinKey: AskID] = [:]
    /// What the person's refusals mean for a caller's next cards.
    var coolDowns: [CallerName: CoolDown] = [:]
    /// When MimiKey has room for another card.
    var cardBackOff = CardBackOff()
    /// Streams of everybody's asks.
    var overviews: [Int: Overview] = [:]
    var isDraining = false
    /// The gateway has to end at once.
    var isHurried = false
    /// The next instant at which something is due, and how to say that there is an earlier one.
    var nextDue: Instant?
    var dueChange: AsyncStream<Void>.Continuation?
    /// Results that are open at this moment.
    var openBoxes = 0
    var boxWatchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var drainWatchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextWatcher = 0

    private let jobs: AsyncStream<AskJob>
    private nonisolated let newJobs: AsyncStream<AskJob>.Continuation

    init(
        _ settings: Settings, store: Store, client: MimiKeyClient, opener: Opener, time: TimeSource,
        log: @escaping LogSink
    ) {
        self.settings = settings
        self.store = store
        self.client = client
        self.opener = opener
        self.time = time
        self.log = log
        (jobs, newJobs) = AsyncStream.makeStream()
    }

    /// Carries out jobs until the task is cancelled. Nothing is polled and no card is made without it.
    nonisolated func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchGrant() }
            for await job in jobs {
                group.addTask { await self.carryOut(job) }
            }
            group.cancelAll()
        }
    }

    nonisolated func start(_ job: AskJob) { newJobs.yield(job) }

    /// Ends every wait; new asks are refused from now on. Open asks stay as they are, for the next start.
    func drain() {
        isDraining = true
        for id in entries.keys { wake(id) }
        for watcher in drainWatchers.values { watcher.finish() }
        for overview in overviews.values { overview.bell?.yield() }
    }

    /// Nobody waits for cards that are being made any more; gives how many have an unknown outcome by that.
    func abandonCards() -> Int {
        isHurried = true
        for id in entries.keys { wake(id) }
        return entries.values.count(where: \.isBeingMade)
    }

    func newWatcher() -> Int {
        nextWatcher += 1
        return nextWatcher
    }

    func openCount(of caller: CallerName) -> Int {
        entries.values.count { $0.isOpen && $0.ask.call.caller == caller }
    }
}

/// What goes on without a request that waits for it.
enum AskJob: Sendable {
    /// Ask MimiKey for the card, then follow it.
    case make(AskID)
    case follow(AskID)
    /// Show the card with the opener.
    case show(AskID)
    /// Take the ask back.
    case withdraw(AskID)
    /// Take a card back of which nobody here has an open ask any more.
    case takeBack(AskBook.Card, isFirst: Bool)
    /// The answer of a POST is over.
    case answered(AskID, complete: Bool)
    /// An answer with the result is over.
    case delivered(AskID, complete: Bool)
    /// Let go of results and memories when their time is over.
    case keepTime
    /// Remove what was finished long ago, now and then.
    case prune
}
