import Core
import MimiKey
import Strongbox

/// What goes on without a request that waits for it.
extension AskBook {
    private static let pruneInterval = Duration.seconds(3600)
    /// MimiKey's lifetime of a request, for an answer that does not say.
    private static let usualLifetime = Duration.seconds(600)

    func carryOut(_ job: AskJob) async {
        switch job {
        case .make(let id): await make(id)
        case .follow(let id): await follow(id)
        case .show(let id): await show(id)
        case .withdraw(let id): await withdraw(id)
        case .takeBack(let card, let isFirst): await takeBack(card, atOnce: isFirst)
        case .answered(let id, let complete): noteAnswered(id, complete)
        case .delivered(let id, let complete): await noteDelivered(id, complete)
        case .keepTime: await keepTime()
        case .prune: await prune()
        }
    }

    /// Asks for the card. When the process ends in here, the next start finds an intent without an id.
    private func make(_ id: AskID) async {
        guard let entry = entries[id] else { return }
        entries[id]?.patch = nil
        guard entry.isOpen else {
            entry.patch?.wipe()
            return
        }
        let call = entry.ask.call
        do throws(Problem) {
            await bind(id, to: try await card(for: call, patch: entry.patch, of: id), for: call)
        } catch {
            if Task.isCancelled { return }
            guard error.code != .grantReplaced else {
                entries[id]?.creation = .done
                return await finish(id, .cancelled, error: .grantReplaced)
            }
            return await refuse(id, because: backingOff(after: error))
        }
        await follow(id)
    }

    private func card(for call: Call, patch: SecretBody?, of id: AskID) async throws(Problem) -> RequestSnapshot {
        let reason = ReasonText.card(caller: call.caller, uid: call.uid, claim: call.reason)
        let grantID = entries[id]?.ask.grantID
        guard let patch else { return try await client.create(call, reason: reason, under: grantID) }
        // Whatever becomes of it, nobody needs the values afterwards.
        defer { patch.wipe() }
        do throws(Problem) {
            return try await client.update(call, reason: reason, patch: patch, under: grantID) { draft in
                await self.note(draft, of: id)
            }
        } catch {
            // A draft that nobody knows the id of never becomes a card.
            guard error.code == .outcomeUnknown, entries[id]?.ask.upstreamID == nil else { throw error }
            throw Problem(.draftLost, "MimiKey's answer to the draft was lost; no card came of it.")
        }
    }

    /// A draft shows no card; it is written down so that a next start can take it back.
    private func note(_ draft: RequestSnapshot, of id: AskID) async {
        guard entries[id]?.isOpen == true else {
            // It was taken back meanwhile: no card is to come of it.
            _ = try? await client.cancelRequest(draft.id)
            return
        }
        entries[id]?.ask.state = .draft
        entries[id]?.ask.upstreamID = draft.id
        entries[id]?.ask.expiresAt = draft.expiresAt
        await persist(id)
    }

    private func bind(_ id: AskID, to snapshot: RequestSnapshot, for call: Call) async {
        let isOldOfOthers = await isOldOfOthers(snapshot.id, than: call)
        // From here to the binding nothing waits: two asks cannot both find that the card is nobody's.
        let isOthers = isOldOfOthers || isOthers(snapshot.id, than: id, call)
        guard var entry = entries[id], entry.isOpen else {
            // It was taken back while MimiKey made the card.
            if !isOthers { start(.takeBack(Card(of: id, snapshot), isFirst: true)) }
            return
        }
        if isOthers { return await refuse(id, because: Self.othersCard(call.op)) }
        entry.ask.upstreamID = snapshot.id
        entry.isUntapped = call.op == .getItem && snapshot.isApproved
        guard !entry.isUntapped || entry.allowsTrust else {
            entries[id] = entry
            await refuse(id, because: Self.trustNotAllowed)
            start(.takeBack(Card(of: id, snapshot), isFirst: true))
            return
        }
        entry.ask.expiresAt = snapshot.expiresAt ?? entry.ask.createdAt + Self.usualLifetime
        entry.ask.openURL = MimiKeyClient.openURL(
            of: snapshot, clientID: settings.clientID, state: entry.ask.callbackState)
        entry.ask.state = .pending
        entries[id] = entry
        await persist(id, reaching: .requestStored)
        entries[id]?.creation = .done
        cardBackOff.succeeded()
        wake(id)
        log(LogEvent(.info, "card made", entry.ask.logValues))
        if settings.opens { start(.show(id)) }
        await apply(snapshot, to: id)
    }

    /// What the asker is told instead of a card.
    private func refuse(_ id: AskID, because problem: Problem) async {
        entries[id]?.creation = .refused(problem)
        await finish(id, .failed, error: problem.code)
    }

    /// Polls until the ask is over, here or there.
    private func follow(_ id: AskID) async {
        guard let entry = entries[id], entry.isOpen, let upstreamID = entry.ask.upstreamID else { return }
        let deadline = entry.ask.expiresAt ?? entry.ask.createdAt + Self.usualLifetime
        let (hints, hint) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        entries[id]?.hints = hint
        let client = client
        let outcome = await withTaskGroup(of: Result<RequestSnapshot, Problem>?.self) { group in
            group.addTask {
                do throws(Problem) {
                    return .success(
                        try await client.follow(upstreamID, expiresAt: deadline, hints: hints) { snapshot in
                            await self.apply(snapshot, to: id)
                        })
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await self.untilFinished(id)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        hint.finish()
        switch outcome {
        case nil: return
        case .success(let snapshot): await apply(snapshot, to: id)
        case .failure(let problem):
            if Task.isCancelled { return }
            await end(id, because: problem)
        }
    }

    private func show(_ id: AskID) async {
        guard let entry = entries[id], entry.isOpen, let url = entry.ask.openURL else { return }
        let isShown = await opener.open(url)
        guard let before = entries[id], before.isOpen else { return }
        if isShown {
            guard before.openError != nil else { return }
            entries[id]?.openError = nil
            return wake(id)
        }
        entries[id]?.openError = .notInstalled
        log(LogEvent(.warning, "the opener failed", entry.ask.logValues))
        wake(id)
    }

    private func end(_ id: AskID, because problem: Problem) async {
        // Who takes it back also ends it.
        guard let entry = entries[id], !entry.isBeingTakenBack else { return }
        if let grant = entry.ask.grantID, let current = await client.grantStatus().grantID, grant != current {
            return await finish(id, .cancelled, error: .grantReplaced)
        }
        if problem.code == .expired { return await finish(id, .expired, error: problem.cause) }
        await finish(id, .failed, error: problem.code)
        // MimiKey did not say that the card is gone: it would be answered for nobody.
        if problem.status.code >= 500, let card = Card(of: entry.ask) { start(.takeBack(card, isFirst: true)) }
    }

    nonisolated func answered(_ id: AskID, complete: Bool) { start(.answered(id, complete: complete)) }
    nonisolated func delivered(_ id: AskID, complete: Bool) { start(.delivered(id, complete: complete)) }

    private func noteAnswered(_ id: AskID, _ complete: Bool) {
        guard !complete else {
            entries[id]?.reachedSomeone = true
            return
        }
        guard let entry = entries[id], entry.isOpen, !entry.reachedSomeone else { return }
        entries[id]?.abandonedAt = time.now() + Self.patience
        noteDue(id)
    }

    /// Nobody could look at it, or take it back. Who still waits for it will get its id.
    func abandon(_ id: AskID) {
        entries[id]?.abandonedAt = nil
        guard let entry = entries[id], entry.isOpen, !entry.reachedSomeone, entry.visitors == 0 else { return }
        log(LogEvent(.info, "ask abandoned: its id has reached nobody", entry.ask.logValues))
        start(.withdraw(id))
    }

    private func noteDelivered(_ id: AskID, _ complete: Bool) async {
        closeBox()
        guard complete, var entry = entries[id], entry.life?.deliveredAt == nil else { return }
        entry.reachedSomeone = true
        entry.life?.delivered(at: time.now())
        entry.ask.deliveredAt = time.wall()
        entries[id] = entry
        if joins[entry.joinKey] == id { joins[entry.joinKey] = nil }
        noteDue(id)
        log(LogEvent(.info, "result delivered", entry.ask.logValues))
        do throws(StoreError) {
            try FaultPoint.resultDelivered.reached(orThrow: StoreError.injected)
        } catch {
            entries[id]?.isUnwritten = true
            return report(error)
        }
        await persist(id)
    }

    private func prune() async {
        while !Task.isCancelled {
            do throws(StoreError) {
                try await store.forgetAsks(finishedBefore: time.wall() + (.zero - Self.readable))
            } catch {
                report(error)
            }
            guard (try? await time.sleep(time.now() + Self.pruneInterval)) != nil else { return }
        }
    }
}
