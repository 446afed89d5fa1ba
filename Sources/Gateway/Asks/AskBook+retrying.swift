import Core

extension AskBook {
    /// Between two retries of an ask.
    static let retryPause = Duration.seconds(10)

    /// The person has lost sight of the card: it is shown again, and MimiKey is asked at once how it stands. What the app
    /// reported before no longer counts.
    func retry(_ id: AskID, by caller: CallerName) async throws(Problem) -> AskView {
        guard let entry = entries[id] else {
            let view = try await view(id, of: caller, joined: false)
            throw Self.nothingPending(view.ask.id)
        }
        guard entry.ask.call.caller == caller else { throw Self.unknownAsk }
        guard entry.isOpen else { throw Self.nothingPending(id) }
        let now = time.now()
        if let retriedAt = entry.retriedAt, now - retriedAt < Self.retryPause {
            throw Problem(
                .tooSoon, "The card was shown again a moment ago; this is done every 10 s at most.", askID: id,
                retryAfter: Self.retryPause - (now - retriedAt))
        }
        entries[id]?.retriedAt = now
        entries[id]?.reachedSomeone = true
        if entry.appError != nil {
            entries[id]?.appError = nil
            wake(id)
        }
        entry.hints?.yield()
        if settings.opens { start(.show(id)) }
        return try await view(id, of: caller, joined: false)
    }

    private static func nothingPending(_ id: AskID) -> Problem {
        Problem(.nothingPending, "The ask is finished, so there is no card to show again.", askID: id)
    }
}
