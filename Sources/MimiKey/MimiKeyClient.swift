package import Core
package import Strongbox

/// Speaks MimiKey v3 for one grant: authorization, tokens, signed calls, requests.
///
/// Everything that spends something (a code, a refresh token) or replaces the grant runs in a task of its own, so that
/// a caller who leaves cannot cut it short; those tasks run one after the other.
package actor MimiKeyClient {
    let configuration: MimiKeyConfiguration
    let store: Store
    let send: Send
    let time: TimeSource
    let log: LogSink
    /// How much later than by its cadence a look comes: drawn for each.
    let spread: @Sendable () -> Duration
    private let executor: (any TaskExecutor)?
    /// What became of the grant, in order. For one reader.
    package nonisolated let grantChanges: AsyncStream<GrantChange>
    nonisolated let newGrantChanges: AsyncStream<GrantChange>.Continuation

    /// The grant in use, with the timing of its access token.
    var held: HeldGrant?
    /// The last grant was revoked: a breaker. Nothing is called until there is a new one.
    var isRevoked = false
    /// The grant that was replaced last. Its keys are nowhere else any more.
    var replaced: StoredGrant?
    /// Revocations that are asked for and not over: no call is made meanwhile.
    var revocations = 0
    /// New tokens that could not be written down yet, so they are not in use.
    var unstored: Renewal?
    /// The refresh that is under way; whoever needs a token waits for it.
    var refreshing: Task<Void, Never>?
    /// What was learnt of MimiKey's clock.
    var serverClock: ServerClock?
    /// Authorizations, newest last: at most one waits for its callback.
    var flows: [AuthorizationFlow] = []
    var lastEpoch = 0
    /// No refresh token is offered any more.
    var isEnding = false
    private var lastChange: Task<Void, Never>?

    /// - Parameter executor: where the tasks run that outlive their callers; `nil`: the default one.
    package init(
        _ configuration: MimiKeyConfiguration, store: Store, send: @escaping Send, time: TimeSource,
        log: @escaping LogSink = { _ in }, executor: (any TaskExecutor)? = nil,
        spread: @escaping @Sendable () -> Duration = PollSchedule.randomSpread
    ) {
        self.configuration = configuration
        self.store = store
        self.send = send
        self.time = time
        self.log = log
        self.executor = executor
        self.spread = spread
        (grantChanges, newGrantChanges) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    /// Reads the stored grant. Call once, before anything else.
    ///
    /// A refresh that was begun and not ended before the last process died has an unknown outcome from now on.
    package func start() async throws(StoreError) {
        guard let grant = try await store.loadGrant() else {
            isRevoked = try await store.isRevoked()
            return
        }
        guard grant.clientID == configuration.clientID, grant.origin == configuration.origin.description else {
            log(LogEvent(.warning, "the stored grant belongs to another origin or client and is not used"))
            return
        }
        switch grant.refreshState {
        case .idle: hold(grant)
        case .unknown:
            let isCopied = try await store.isCopied()
            if isCopied {
                log(
                    LogEvent(
                        .warning,
                        "the state was copied or restored: its refresh token may be spent, and is not offered by itself"
                    ))
            }
            hold(grant, unknown: isCopied ? .stateCopied : .answerLost)
        case .started:
            try await store.markRefreshUnknown()
            log(LogEvent(.warning, "the last process ended during a token refresh, so its outcome is not known"))
            hold(grant, unknown: .answerLost)
        }
    }

    /// A code or a token is being spent at this moment.
    package var isSpending: Bool {
        refreshing != nil || flows.contains { if case .exchanging = $0.phase { true } else { false } }
    }

    /// For the end: a refresh that began late would keep it waiting.
    package func offerNoMoreTokens() { isEnding = true }

    /// Returns when no code is being exchanged, no token refreshed and nothing written any more. For the shutdown.
    package func finishTasks() async {
        for flow in flows {
            if case .exchanging(let task) = flow.phase { await task.value }
        }
        await refreshing?.value
        await lastChange?.value
    }

    /// The difference between MimiKey's clock and ours that is in use, `nil` when none was learnt.
    package var clockOffset: Duration? { serverClock.map { $0.time(at: time.now()) - time.wall() } }

    /// Now, as MimiKey sees it.
    var serverTime: UnixTime { serverClock?.time(at: time.now()) ?? time.wall() }

    /// The same point of MimiKey's clock on ours.
    func instant(of serverInstant: UnixTime) -> Instant { time.now() + (serverInstant - serverTime) }

    // MARK: Tasks that outlive their callers

    func detached(_ work: @escaping @Sendable (isolated MimiKeyClient) async -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { await work(self) }
    }

    /// Runs after every change of the grant that was asked for before, and before every later one.
    func exclusively<Value: Sendable>(
        _ change: @escaping @Sendable (isolated MimiKeyClient) async -> Value
    ) async -> Value {
        let previous = lastChange
        let task = Task(executorPreference: executor) {
            await previous?.value
            return await change(self)
        }
        lastChange = detached { _ in _ = await task.value }
        return await task.value
    }
}

extension StoreError {
    /// The path stays in the log: callers have no use for it.
    func problem(_ log: LogSink) -> Problem {
        log(LogEvent(.error, "the state store failed", [(.reason, .string(reason.rawValue))]))
        return Problem(.storage, "The state store could not be read or written.")
    }
}
