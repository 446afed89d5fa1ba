import Core
import MimiKey
import Strongbox

/// Taking cards back. MimiKey is given 15 s to say how it ended; then the ask ends here, and the card is tried again in the
/// background, so that none is left open silently.
extension AskBook {
    private static let forTakingBack = Duration.seconds(15)
    /// Before each of the later attempts.
    private static let pauses: [Duration] = [
        .seconds(5), .seconds(10), .seconds(20), .seconds(40), .seconds(60),
    ]

    /// A card that is to be taken back, whatever has become of its ask.
    struct Card: Sendable {
        let upstreamID: String
        let askID: AskID
        /// Then it is over by itself.
        let expiresAt: UnixTime?

        init(of id: AskID, _ snapshot: RequestSnapshot) {
            upstreamID = snapshot.id
            askID = id
            expiresAt = snapshot.expiresAt
        }

        /// `nil` when MimiKey has not answered yet whether there is one.
        init?(of ask: Ask) {
            guard let upstreamID = ask.upstreamID else { return nil }
            self.upstreamID = upstreamID
            askID = ask.id
            expiresAt = ask.expiresAt
        }
    }

    private enum Attempt: Sendable {
        /// MimiKey says how it ended.
        case over(RequestSnapshot)
        /// There is nothing of ours to take back.
        case nothing
        /// Not known: it may be open.
        case unclear
    }

    func withdraw(_ id: AskID) async {
        guard let entry = entries[id], entry.isOpen, !entry.isBeingTakenBack else { return }
        // Without an id the card is still being made; `bind` takes it back.
        guard let card = Card(of: entry.ask) else { return await finish(id, .cancelled) }
        entries[id]?.isBeingTakenBack = true
        switch await attempt(card, mayBeUnseen: true) {
        case .over(let snapshot): await apply(snapshot, to: id)
        case .nothing: await finish(id, .cancelled)
        case .unclear:
            log(LogEvent(.warning, "card not taken back yet", entry.ask.logValues))
            await finish(id, .cancelled)
            start(.takeBack(card, isFirst: false))
        }
    }

    /// Tries until MimiKey says that it is over, until it is over by itself, or five times. MimiKey joins new items, so the
    /// card may have become that of another ask meanwhile: then it stays.
    func takeBack(_ card: Card, atOnce: Bool) async {
        if atOnce, await isOver(card, mayBeUnseen: true) { return }
        for (number, pause) in Self.pauses.enumerated() {
            guard (try? await time.sleep(time.now() + pause)) != nil else { return }
            if let expiresAt = card.expiresAt, time.wall() >= expiresAt { return }
            if await isOver(card, mayBeUnseen: number == 0) { return }
        }
        log(LogEvent(.error, "card not taken back: it stays open until it expires", [card.logValue]))
    }

    private func isOver(_ card: Card, mayBeUnseen: Bool) async -> Bool {
        guard !entries.values.contains(where: { $0.isOpen && $0.ask.upstreamID == card.upstreamID }) else {
            log(LogEvent(.info, "card not taken back: another ask has it now", [card.logValue]))
            return true
        }
        switch await attempt(card, mayBeUnseen: mayBeUnseen) {
        case .over, .nothing:
            log(LogEvent(.info, "card taken back", [card.logValue]))
            return true
        case .unclear: return false
        }
    }

    /// - Parameter mayBeUnseen: that MimiKey does not find it may only mean that it has not reached every replica yet.
    private func attempt(_ card: Card, mayBeUnseen: Bool) async -> Attempt {
        let client = client
        return await within(Self.forTakingBack, else: .unclear) {
            do throws(Problem) {
                let snapshot = try await client.cancelRequest(card.upstreamID)
                return snapshot.state.isFinished ? .over(snapshot) : .unclear
            } catch {
                if mayBeUnseen, error.status.code == 404 { return .unclear }
                return error.status.code < 500 && error.status.code != 429 ? .nothing : .unclear
            }
        }
    }

    /// What `work` gives, or `late` when it takes longer.
    func within<Result: Sendable>(
        _ duration: Duration, else late: Result, _ work: @escaping @Sendable () async -> Result
    ) async -> Result {
        let sleep = time.sleep
        let until = time.now() + duration
        return await withTaskGroup(of: Result.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await sleep(until)
                return late
            }
            let first = await group.next() ?? late
            group.cancelAll()
            return first
        }
    }
}

extension AskBook.Card {
    fileprivate var logValue: (LogEvent.Field, JSON) { (.askID, .string(askID.rawValue)) }
}
