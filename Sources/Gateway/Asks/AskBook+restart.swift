import Core
import MimiKey
import Strongbox

extension AskBook {
    /// Takes up what the last process left: cards go on being polled under their ids, an intent that MimiKey never
    /// confirmed is not asked again.
    func resume() async throws(StoreError) {
        let grant = await client.grantStatus()
        for ask in try await store.openAsks() {
            if ask.state.isFinished {
                resume(completed: ask)
                continue
            }
            entries[ask.id] = AskEntry(ask, creation: .done, reachedSomeone: true)
            guard ask.upstreamID != nil else {
                // A draft shows no card, so of an update there is none.
                await finish(ask.id, .failed, error: ask.call.op == .updateItem ? .draftLost : .outcomeUnknown)
                continue
            }
            if let end = Self.end(of: ask, under: grant) {
                await finish(ask.id, end.state, error: end.error)
                continue
            }
            joins[JoinKey(ask.call)] = ask.id
            log(LogEvent(.info, "ask taken up again", ask.logValues))
            start(.follow(ask.id))
        }
        try await resumeMemory()
        start(.keepTime)
        start(.prune)
    }

    /// MimiKey may still have its result.
    private func resume(completed ask: Ask) {
        guard ask.hasBox, let finishedAt = ask.finishedAt else { return }
        let age = time.wall() - finishedAt
        guard age < ResultLife.afterCompletion else { return }
        var entry = AskEntry(ask, creation: .done, reachedSomeone: true)
        let life = ResultLife(completedAt: time.now() + (.zero - max(age, .zero)))
        entry.life = life
        entries[ask.id] = entry
        joins[entry.joinKey] = ask.id
    }
}
