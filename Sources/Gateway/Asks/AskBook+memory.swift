import Core
import Strongbox

/// A refusal is not asked again by a loop: it is remembered for a while, and counted. The journal has all that this needs,
/// so that a restart forgets nothing.
extension AskBook {
    /// For a while the same wish finds this ask, and makes no second card.
    func remember(_ id: AskID, until instant: Instant) {
        guard let key = entries[id]?.joinKey else { return }
        entries[id]?.rememberedUntil = instant
        joins[key] = id
        noteDue(id)
    }

    func noteRefusal(_ ask: Ask, at instant: Instant) {
        guard ask.isRefusal else { return }
        coolDowns[ask.call.caller, default: CoolDown()].refuse(ask.id, at: instant, isForgiven: ask.isForgiven)
    }

    func checkCoolDown(of caller: CallerName) throws(Problem) {
        guard let remaining = coolDowns[caller]?.remaining(at: time.now()) else { return }
        throw Problem(
            .coolingDown,
            "The person has refused \(CoolDown.refusals) asks of this caller within a minute, so it makes no card now.",
            retryAfter: remaining)
    }

    /// Each may have left a card, and is kept in mind: a loop of ever new wishes ends here.
    func checkLostAnswers(of caller: CallerName) throws(Problem) {
        let now = time.now()
        let lost = entries.values.filter { $0.ask.call.caller == caller && $0.ask.isOfUnknownOutcome }
            .compactMap(\.rememberedUntil).filter { now < $0 }
        guard lost.count >= Self.mostLostAnswers, let first = lost.min() else { return }
        throw Problem(
            .coolingDown,
            "MimiKey's answers to \(Self.mostLostAnswers) asks of this caller were lost, so it makes no card now.",
            retryAfter: first - now)
    }

    /// The operator lifts what follows from an ask's refusal, or from its lost answer. Nothing else changes, and of any other
    /// ask nothing at all.
    func forgive(_ id: AskID) async throws(Problem) -> AskView {
        enter(id)
        defer { leave(id) }
        var found = entries[id]?.ask
        if found == nil { found = try await journalledAsk(id) }
        guard var ask = found else { throw Self.noSuchAsk }
        if ask.isRefusal || ask.isOfUnknownOutcome, !ask.isForgiven {
            ask.isForgiven = true
            do throws(StoreError) {
                try await store.save(ask)
            } catch {
                report(error)
                throw Problem(.storage, "It could not be written down: nothing is forgiven.", retryAfter: .seconds(5))
            }
            log(LogEvent(.info, "ask forgiven", ask.logValues))
        }
        if ask.isForgiven { forget(ask) }
        if let entry = entries[id] { return view(of: entry) }
        return view(journalled: ask)
    }

    private func forget(_ ask: Ask) {
        coolDowns[ask.call.caller]?.forgive(ask.id)
        guard let entry = entries[ask.id] else { return }
        entries[ask.id]?.ask.isForgiven = true
        entries[ask.id]?.rememberedUntil = nil
        if joins[entry.joinKey] == ask.id { joins[entry.joinKey] = nil }
    }

    /// Asks that were refused, or ended without an answer, a short time before the start. The last one of a wish counts.
    func resumeMemory() async throws(StoreError) {
        let asks = try await store.asksRefused(or: .outcomeUnknown, since: time.wall() + (.zero - Self.memory))
        var ages: [(ask: Ask, age: Duration)] = []
        for ask in asks {
            guard let finishedAt = ask.finishedAt else { continue }
            // The wall clock may have been set back since.
            ages.append((ask, max(time.wall() - finishedAt, .zero)))
        }
        ages.sort { $0.age < $1.age }
        for (ask, age) in ages.reversed() { noteRefusal(ask, at: time.now() + (.zero - age)) }
        for (ask, age) in ages where ask.isRemembered && entries[ask.id] == nil && joins[JoinKey(ask.call)] == nil {
            entries[ask.id] = AskEntry(ask, creation: .done, reachedSomeone: true)
            remember(ask.id, until: time.now() + (Self.memory - age))
        }
    }
}

extension Ask {
    static let conflict = "conflict"

    /// The person said no. An item that has changed elsewhere is nobody's refusal.
    var isRefusal: Bool { state == .denied && denyReason != Self.conflict }

    /// It may have left a card.
    var isOfUnknownOutcome: Bool { state == .failed && error == .outcomeUnknown }

    /// The same wish is not asked anew for a while.
    var isRemembered: Bool { !isForgiven && (isRefusal || isOfUnknownOutcome) }
}
