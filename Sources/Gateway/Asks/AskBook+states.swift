import Core
import MimiKey
import Strongbox

/// How an ask changes, whoever says so. Every change is journalled before it is announced.
extension AskBook {
    /// Characters of a sealed result: a plaintext of 256 KiB, sealed, as base64url.
    static let longestSealedResult = 349_600

    /// What MimiKey says of an ask.
    func apply(_ snapshot: RequestSnapshot, to id: AskID) async {
        guard var entry = entries[id], entry.isOpen else { return }
        let before = entry.ask
        entry.ask.expiresAt = snapshot.expiresAt ?? entry.ask.expiresAt
        entry.ask.denyReason = snapshot.denyReason
        entries[id] = entry
        switch snapshot.state {
        case .draft where entry.isLostDraft:
            start(.takeBack(Card(of: id, snapshot), isFirst: true))
            await finish(id, .failed, error: .draftLost)
        case .expired where entry.isLostDraft: await finish(id, .failed, error: .draftLost)
        case .draft, .pending, .approved:
            if entry.ask.state != snapshot.state { entries[id]?.appError = nil }
            entries[id]?.ask.state = snapshot.state
            showLink(of: snapshot, for: id)
            guard entries[id]?.ask != before else { return }
            await persist(id)
            wake(id)
        case .completed: await complete(id, snapshot)
        case .denied, .cancelled, .expired: await finish(id, snapshot.state)
        case .failed: await finish(id, .failed, error: .malformedResponse)
        }
    }

    /// A card that came to be when nobody here was there to see it has no link yet.
    private func showLink(of snapshot: RequestSnapshot, for id: AskID) {
        guard let ask = entries[id]?.ask, ask.openURL == nil, snapshot.state != .draft else { return }
        entries[id]?.ask.openURL = MimiKeyClient.openURL(
            of: snapshot, clientID: settings.clientID, state: ask.callbackState)
    }

    private func complete(_ id: AskID, _ snapshot: RequestSnapshot) async {
        guard let op = entries[id]?.ask.call.op else { return }
        switch op {
        case .updateItem:
            guard let updatedItem = snapshot.updatedItem else {
                return await finish(id, .failed, error: .updatedItemMissing)
            }
            entries[id]?.ask.updatedItem = updatedItem
            await finish(id, .completed)
        case .createItem where snapshot.isSavedOutOfScope:
            entries[id]?.ask.isSavedOutOfScope = true
            await finish(id, .completed)
        case .pickItem, .getItem, .createItem: await complete(id, with: snapshot.sealedResult)
        }
    }

    private func complete(_ id: AskID, with sealedResult: String?) async {
        guard let sealedResult, !sealedResult.isEmpty else {
            return await finish(id, .failed, error: .resultMissing)
        }
        guard sealedResult.utf8.count <= Self.longestSealedResult else {
            return await finish(id, .failed, error: .resultOpenFailed)
        }
        let life = ResultLife(completedAt: time.now())
        entries[id]?.sealedResult = sealedResult
        entries[id]?.life = life
        noteDue(id)
        await finish(id, .completed)
    }

    /// Ends an open ask. A second end changes nothing. `isKept`: it is in the journal.
    func finish(_ id: AskID, _ state: AskState, error: ErrorCode? = nil, isKept: Bool = true) async {
        guard var entry = entries[id], entry.isOpen else { return }
        entry.ask.state = state
        entry.ask.error = error
        entry.ask.finishedAt = time.wall()
        entry.appError = nil
        entry.hints?.finish()
        entry.hints = nil
        entries[id] = entry
        noteRefusal(entry.ask, at: time.now())
        if entry.ask.isRemembered {
            remember(id, until: time.now() + Self.memory)
        } else if state != .completed, joins[entry.joinKey] == id {
            joins[entry.joinKey] = nil
        }
        log(LogEvent(.info, "ask ended", entry.ask.logValues))
        if isKept { await persist(id) }
        wake(id)
        tidy(id)
    }

    /// A completed ask whose result is not handed out after all.
    func refuseResult(_ id: AskID, _ error: ErrorCode) async {
        guard var entry = entries[id], entry.ask.state == .completed else { return }
        entry.ask.state = .failed
        entry.ask.error = error
        entry.sealedResult = nil
        entry.life = nil
        entries[id] = entry
        if joins[entry.joinKey] == id { joins[entry.joinKey] = nil }
        log(LogEvent(.warning, "result refused", entry.ask.logValues))
        await persist(id)
        wake(id)
    }

    /// Writes the row as it is now. A failure is logged: the ask goes on in memory, and is written again later.
    func persist(_ id: AskID, reaching point: FaultPoint? = nil) async {
        guard let ask = entries[id]?.ask else { return }
        do throws(StoreError) {
            try await store.save(ask)
            try point?.reached(orThrow: StoreError.injected)
            if entries[id]?.ask == ask { entries[id]?.isUnwritten = false }
        } catch {
            entries[id]?.isUnwritten = true
            report(error)
        }
    }

    /// Writes again what could not be written when it happened. Gives `false` when it still cannot.
    func writeAgain() async -> Bool {
        for id in entries.filter({ $0.value.isUnwritten }).keys {
            await persist(id)
            guard entries[id]?.isUnwritten != true else { return false }
            tidy(id)
        }
        return true
    }

    func report(_ error: StoreError) {
        log(LogEvent(.error, "the journal failed", [(.reason, .string(error.reason.rawValue))]))
    }
}

extension Ask {
    /// Nothing of these comes from a request but the caller's name.
    var logValues: [(LogEvent.Field, JSON)] {
        [
            (.askID, .string(id.rawValue)), (.caller, .string(call.caller.rawValue)),
            (.op, .string(call.op.rawValue)), (.state, .string(state.rawValue)), (.error, .code(error)),
        ]
    }
}
