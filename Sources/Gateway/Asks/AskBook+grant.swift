import Core
import MimiKey
import Strongbox

/// What becomes of the open asks when the grant does not go on.
extension AskBook {
    /// For all cards of a replaced grant together. What is not taken back by then expires by itself.
    private static let forReplacedCards = Duration.seconds(10)
    private static let callsAtOnce = 8

    func watchGrant() async {
        for await change in client.grantChanges { await follow(change) }
    }

    private func follow(_ change: GrantChange) async {
        let current = await client.grantStatus().grantID
        // Under a grant that came since, asks go on.
        let former = entries.filter { $0.value.isOpen && (current == nil || $0.value.ask.grantID != current) }
            .sorted { $0.value.ask.createdAt < $1.value.ask.createdAt }.map(\.key)
        switch change {
        case .revoked:
            for id in former { await finish(id, .failed, error: .revoked) }
        case .reset:
            for id in former { await finish(id, .cancelled, error: .notAuthorized) }
        case .replaced(let grantID):
            for id in former { entries[id]?.isBeingTakenBack = true }
            await takeBack(former, of: grantID)
            await client.forgetReplacedGrant()
        }
    }

    private func takeBack(_ ids: [AskID], of grantID: String) async {
        let until = time.now() + Self.forReplacedCards
        await withTaskGroup(of: Void.self) { group in
            for (index, id) in ids.enumerated() {
                if index >= Self.callsAtOnce { await group.next() }
                group.addTask { await self.takeBack(id, of: grantID, until: until) }
            }
        }
    }

    private func takeBack(_ id: AskID, of grantID: String, until: Instant) async {
        await wait(for: .card, of: id, until: until)
        guard let entry = entries[id], entry.isOpen else { return }
        var isGone = false
        if let upstreamID = entry.ask.upstreamID, entry.ask.grantID == nil || entry.ask.grantID == grantID {
            let client = client
            isGone = await within(until - time.now(), else: false) {
                do throws(Problem) {
                    return try await client.cancelRequest(upstreamID, ofReplacedGrant: grantID).state.isFinished
                } catch {
                    return false
                }
            }
        }
        // Without a link there is nothing left to answer, and the wish may be asked anew.
        if isGone { entries[id]?.ask.openURL = nil }
        await finish(id, .cancelled, error: .grantReplaced)
    }

    /// How an ask ends that was open when the last process ended, under a grant that is not there any more; `nil` when it goes
    /// on. One of which no grant is known goes on, too.
    static func end(of ask: Ask, under grant: GrantStatus) -> (state: AskState, error: ErrorCode)? {
        guard let former = ask.grantID, former != grant.grantID else { return nil }
        switch grant.state {
        case .active, .refreshUnknown: return (.cancelled, .grantReplaced)
        case .none: return (.cancelled, .notAuthorized)
        case .revoked: return (.failed, .revoked)
        }
    }
}
