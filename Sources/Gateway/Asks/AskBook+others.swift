import Core
import MimiKey
import Strongbox

/// What belongs to somebody else. MimiKey joins new items by vault and host, whoever asks, and would give one caller the
/// card of another.
extension AskBook {
    /// Is a card open that MimiKey would give for this, and that is somebody else's?
    func checkForOthers(_ key: JoinKey) throws(Problem) {
        guard entries.values.contains(where: { $0.isOpen && $0.joinKey.meets(key) }) else { return }
        throw Problem(
            .askInProgress, "Another caller is asking for a new item for this vault and host; wait for its end.",
            retryAfter: .seconds(30))
    }

    /// Does this request of MimiKey belong to another ask than the one that it was made for?
    func isOthers(_ upstreamID: String, than id: AskID, _ call: Call) -> Bool {
        entries.contains { other, entry in
            other != id && entry.ask.upstreamID == upstreamID
                && (entry.isOpen || !call.isOfSameUser(as: entry.ask.call))
        }
    }

    /// The same for one that has ended here: it may be open there still, when taking it back failed.
    func isOldOfOthers(_ upstreamID: String, than call: Call) async -> Bool {
        do throws(StoreError) {
            return try await store.ask(upstreamID: upstreamID).map { !call.isOfSameUser(as: $0.call) } ?? false
        } catch {
            report(error)
            return false
        }
    }

    static func othersCard(_ op: Operation) -> Problem {
        switch op {
        case .createItem: Problem(.askInProgress, "MimiKey joined it with the card of another caller.")
        case .pickItem, .getItem, .updateItem:
            Problem(.malformedResponse, "MimiKey gave the card of another ask.")
        }
    }

    static let trustNotAllowed = Problem(
        .trustNotAllowed, "MimiKey would hand the item over without asking, and no rule of this caller allows that.")
}

extension Call {
    fileprivate func isOfSameUser(as other: Call) -> Bool { caller == other.caller && uid == other.uid }
}

extension RequestSnapshot {
    /// Was it approved before anybody could be asked?
    var isApproved: Bool {
        switch state {
        case .approved, .completed: true
        case .draft, .pending, .denied, .cancelled, .expired, .failed: false
        }
    }
}
