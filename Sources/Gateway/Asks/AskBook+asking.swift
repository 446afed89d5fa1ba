import Core
import MimiKey
import Strongbox

/// What the routes ask of the book.
extension AskBook {
    /// At most this long is a POST held for MimiKey's first answer, whatever it asked for: without it the caller has no
    /// link to show.
    static let forTheCard = Duration.seconds(2)
    /// Every call to MimiKey is over by then: taking back is waited for so long, and a card at the end of the gateway.
    static let forAnAnswer = Duration.seconds(35)

    /// Opens an ask, or joins the open one for the same thing, and waits for the person.
    func ask(_ admitted: AdmittedCall, by caller: CallerSettings, wait: Duration) async throws(Problem) -> AskAnswer {
        let until = time.now() + wait
        let (id, joined) = try await open(admitted, limit: caller.limits.open)
        defer { leave(id) }
        // What has ended before is looked at; what ends while this one waits is this one's, too.
        let isOld = joined && entries[id]?.isOpen == false
        let interruptions = entries[id]?.interruptions
        await self.wait(for: .card, of: id, until: max(until, time.now() + Self.forTheCard))
        if !isOld, case .refused(var problem) = entries[id]?.creation {
            // One that is not written down cannot be looked at later.
            if problem.code != .storage { problem.askID = id }
            throw problem
        }
        await self.wait(for: .end, of: id, until: until, since: interruptions)
        try checkCut(id)
        return try await answer(id, to: caller, joined: joined, releasing: true, until: until)
    }

    /// `tags`: states that the asker has already; an unfinished ask in one of them is `unchanged`, and a wait is for another.
    func look(
        at id: AskID, by caller: CallerSettings, wait: Duration, unless tags: EntityTags?, releasing: Bool
    ) async throws(Problem) -> AskAnswer {
        guard let entry = entries[id] else { return .view(try await finishedAsk(id, of: caller.name)) }
        guard entry.ask.call.caller == caller.name else { throw Self.unknownAsk }
        enter(id)
        defer { leave(id) }
        entries[id]?.reachedSomeone = true
        let until = time.now() + wait
        if wait > .zero {
            entry.hints?.yield()
            await self.wait(for: tags.map(Phase.change) ?? .end, of: id, until: until)
            try checkCut(id)
        }
        if let tags, let entry = entries[id], entry.isOpen, tags.match(view(of: entry).tag) {
            return .unchanged(view(of: entry))
        }
        return try await answer(id, to: caller, joined: false, releasing: releasing, until: until)
    }

    /// A wait that the gateway's end cuts is told so, with the id to come back for: the ask itself lives on.
    private func checkCut(_ id: AskID) throws(Problem) {
        if isDraining, entries[id]?.isOpen == true { throw Problem.shuttingDown.about(id) }
    }

    /// Takes an ask back; a finished one stays as it is.
    func cancel(_ id: AskID, by caller: CallerName) async throws(Problem) -> AskView {
        guard let entry = entries[id] else { return try await finishedAsk(id, of: caller) }
        guard entry.ask.call.caller == caller else { throw Self.unknownAsk }
        enter(id)
        defer { leave(id) }
        entries[id]?.reachedSomeone = true
        if entry.isOpen {
            start(.withdraw(id))
            await wait(for: .end, of: id, until: time.now() + Self.forAnAnswer)
        }
        return try await view(id, of: caller, joined: false)
    }

    /// A browser or the app came back with this `state`; `false` when it is no ask's.
    func callback(state: String, error: ErrorCode?) -> Bool {
        guard let (id, entry) = entries.first(where: { $0.value.ask.callbackState == state }) else { return false }
        guard entry.isOpen else { return true }
        entries[id]?.reachedSomeone = true
        entries[id]?.appError = error
        if error != nil { entries[id]?.interruptions += 1 }
        entry.hints?.yield()
        wake(id)
        return true
    }

    private func open(_ admitted: AdmittedCall, limit: Int) async throws(Problem) -> (id: AskID, joined: Bool) {
        guard !isDraining else { throw .shuttingDown }
        let call = admitted.call
        let grant = await client.grantStatus()
        try Self.check(grant.state)
        if let id = await join(call) { return (id, true) }
        try checkForOthers(JoinKey(call))
        try checkCoolDown(of: call.caller)
        try checkLostAnswers(of: call.caller)
        try checkBackOff()
        try AskLimits.admit(
            ofCaller: openCount(of: call.caller), limit: limit, ofAll: entries.values.count(where: \.isOpen),
            gatewayLimit: settings.open)
        let ask = Ask(
            id: AskID(randomBytes: Randomness.bytes(16)), call: call, createdAt: time.wall(), grantID: grant.grantID,
            state: call.op == .updateItem ? .draft : .pending,
            callbackState: Base64URL.encode(Randomness.bytes(16)))
        var entry = AskEntry(ask, creation: .underWay, reachedSomeone: false)
        entry.patch = admitted.patch
        entry.allowsTrust = admitted.permission.allowsTrust
        entries[ask.id] = entry
        joins[entry.joinKey] = ask.id
        enter(ask.id)
        do throws(StoreError) {
            try await store.begin(ask)
            try FaultPoint.requestIntentWritten.reached(orThrow: StoreError.injected)
        } catch {
            report(error)
            let problem = Problem(.storage, "The ask could not be written down, so no card was asked for.")
            entries[ask.id]?.creation = .refused(problem)
            admitted.patch?.wipe()
            await finish(ask.id, .failed, error: .storage, isKept: false)
            return (ask.id, false)
        }
        wake(ask.id)
        start(.make(ask.id))
        return (ask.id, false)
    }

    /// Without a grant nothing is written down, and MimiKey is not called.
    static func check(_ grant: GrantStatus.State) throws(Problem) {
        switch grant {
        case .active, .refreshUnknown: return
        case .none: throw Problem(.notAuthorized, "There is no grant; the operator runs `countersign authorize`.")
        case .revoked: throw Problem(.revoked, "The grant was revoked; the operator runs `countersign authorize`.")
        }
    }

    /// The open ask for the same thing. What is wanted of it grows to what both want.
    private func join(_ call: Call) async -> AskID? {
        guard let id = joins[JoinKey(call)], let entry = entries[id], entry.isJoinable(at: time.now()) else {
            return nil
        }
        enter(id)
        entry.hints?.yield()
        // A remembered one is over: nothing more comes of it, whatever is wanted.
        guard entry.rememberedUntil == nil else { return id }
        if let want = entry.ask.call.want {
            let both = call.want.map(want.union)
            if both != want {
                entries[id]?.ask.call.want = both
                await persist(id)
            }
        }
        return id
    }

    private func answer(
        _ id: AskID, to caller: CallerSettings, joined: Bool, releasing: Bool, until: Instant
    ) async throws(Problem) -> AskAnswer {
        if releasing, let answer = try await release(id, to: caller, joined: joined, until: until) { return answer }
        return .view(try await view(id, of: caller.name, joined: joined))
    }

    func view(_ id: AskID, of caller: CallerName, joined: Bool) async throws(Problem) -> AskView {
        guard let entry = entries[id] else { return try await finishedAsk(id, of: caller) }
        return view(of: entry, joined: joined)
    }

    func view(of entry: AskEntry, joined: Bool = false) -> AskView {
        entry.view(at: time.now(), joined: joined, downloadURL: settings.downloadURL)
    }

    /// An ask that only the journal has.
    private func finishedAsk(_ id: AskID, of caller: CallerName) async throws(Problem) -> AskView {
        guard let ask = try await journalledAsk(id), ask.call.caller == caller else { throw Self.unknownAsk }
        return view(journalled: ask)
    }

    /// `nil` when there is none, or when it ended too long ago.
    func journalledAsk(_ id: AskID) async throws(Problem) -> Ask? {
        let found: Ask?
        do throws(StoreError) { found = try await store.ask(id) } catch { throw unreadable(error) }
        if let finishedAt = found?.finishedAt, time.wall() - finishedAt > Self.readable { return nil }
        return found
    }

    func view(journalled ask: Ask) -> AskView {
        let resultState: ResultLife.State = ask.deliveredAt == nil ? .expired : .released
        return AskView(ask: ask, resultState: ask.hasBox ? resultState : nil)
    }

    func unreadable(_ error: StoreError) -> Problem {
        report(error)
        return Problem(.storage, "The journal could not be read.")
    }
}

extension Problem {
    static let shuttingDown = Problem(
        .shuttingDown, "The gateway is shutting down; open asks go on when it is back.", retryAfter: .seconds(5))

    fileprivate func about(_ id: AskID) -> Problem {
        var problem = self
        problem.askID = id
        return problem
    }
}
