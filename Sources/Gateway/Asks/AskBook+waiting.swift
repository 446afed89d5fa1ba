import Core

/// Waiting for an ask, and saying that something about it has changed.
extension AskBook {
    enum Phase: Sendable {
        /// MimiKey has answered whether there is a card.
        case card
        case end
        /// It is not what one of these tags names.
        case change(from: EntityTags)
    }

    /// Returns when the phase is reached, at the latest at `until`; sooner when the app reported an error, the gateway
    /// shuts down, or the task is cancelled.
    ///
    /// `known`: how many interruptions there were when the waiting began, when that was before.
    func wait(for phase: Phase, of id: AskID, until: Instant, since known: Int? = nil) async {
        let interruptions = known ?? entries[id]?.interruptions ?? 0
        guard !isOver(phase, of: id, since: interruptions), time.now() < until else { return }
        let sleep = time.sleep
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await sleep(until) }
            group.addTask { await self.watch(id, until: phase, since: interruptions) }
            await group.next()
            group.cancelAll()
        }
    }

    func untilFinished(_ id: AskID) async {
        await watch(id, until: .end, since: nil)
    }

    /// Returns when the gateway shuts down, or when the task is cancelled.
    func untilDraining() async {
        guard !isDraining else { return }
        let (end, watcher) = AsyncStream<Void>.makeStream()
        let number = newWatcher()
        drainWatchers[number] = watcher
        defer { drainWatchers[number] = nil }
        for await _ in end {}
    }

    /// Returns when MimiKey has answered every request for a card that is under way, at the latest after the time that
    /// such a call may take: a process that ended before would not know whether there is a card.
    func untilCardsAreMade() async {
        let sleep = time.sleep
        let latest = time.now() + Self.forAnAnswer
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await sleep(latest) }
            group.addTask { await self.watchCreations() }
            await group.next()
            group.cancelAll()
        }
    }

    private func watchCreations() async {
        while !Task.isCancelled, !isHurried, let id = entries.first(where: { $0.value.isBeingMade })?.key {
            await watch(id, until: .card, since: nil, endsInAHurry: true)
        }
    }

    /// `since`: how many interruptions there were; `nil`: they do not end this.
    private func watch(
        _ id: AskID, until phase: Phase, since interruptions: Int?, endsInAHurry: Bool = false
    ) async {
        let (changes, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = newWatcher()
        entries[id]?.watchers[number] = watcher
        defer { entries[id]?.watchers[number] = nil }
        var iterator = changes.makeAsyncIterator()
        while !isOver(phase, of: id, since: interruptions), !(endsInAHurry && isHurried) {
            if await iterator.next(isolation: self) == nil { return }
        }
    }

    private func isOver(_ phase: Phase, of id: AskID, since interruptions: Int?) -> Bool {
        guard let entry = entries[id], entry.isOpen else { return true }
        if let interruptions, isDraining || entry.interruptions != interruptions { return true }
        switch phase {
        case .card: return !entry.creation.isUnderWay
        case .end: return false
        case .change(let tags): return !tags.match(view(of: entry).tag)
        }
    }

    func wake(_ id: AskID) {
        for number in overviews.keys { overviews[number]?.note(id) }
        guard let watchers = entries[id]?.watchers else { return }
        for watcher in watchers.values { watcher.yield() }
    }

    /// A request holds on to the entry; without visitors it goes once it is of no more use.
    func enter(_ id: AskID) { entries[id]?.visitors += 1 }

    func leave(_ id: AskID) {
        entries[id]?.visitors -= 1
        tidy(id)
    }

    /// Removes an entry that the journal can stand in for.
    func tidy(_ id: AskID) {
        guard let entry = entries[id], !entry.isOpen, !entry.isUnwritten, entry.visitors == 0 else { return }
        if let until = entry.rememberedUntil, time.now() < until { return }
        if let life = entry.life, life.state(at: time.now()) == .held { return }
        if joins[entry.joinKey] == id { joins[entry.joinKey] = nil }
        entries[id] = nil
    }
}
