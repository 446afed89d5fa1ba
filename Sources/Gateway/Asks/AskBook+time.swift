import Core

/// One task keeps the time of all asks: what an ended ask still holds in memory goes when it is due, and so does an open
/// one that nobody knows of.
extension AskBook {
    /// It looks at most this often, so that many that are due at nearly the same time cost one look.
    private static let pause = Duration.seconds(1)

    func keepTime() async {
        var earliest = time.now()
        while !Task.isCancelled {
            let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            dueChange = change
            nextDue = entries.values.compactMap(\.due).filter { $0 > time.now() }.min()
            await rest(until: nextDue.map { max($0, earliest) }, or: changes)
            earliest = time.now() + Self.pause
            for (id, entry) in entries where entry.due.map({ $0 <= time.now() }) ?? false {
                guard !entry.isOpen else {
                    abandon(id)
                    continue
                }
                entries[id]?.sealedResult = nil
                tidy(id)
            }
        }
    }

    /// What is due when may have changed for this ask.
    func noteDue(_ id: AskID) {
        guard let due = entries[id]?.due else { return }
        if nextDue.map({ due < $0 }) ?? true { dueChange?.yield() }
    }

    func rest(until instant: Instant?, or changes: AsyncStream<Void>) async {
        let sleep = time.sleep
        await withTaskGroup(of: Void.self) { group in
            if let instant { group.addTask { try? await sleep(instant) } }
            group.addTask {
                var iterator = changes.makeAsyncIterator()
                await iterator.next()
            }
            await group.next()
            group.cancelAll()
        }
    }
}
