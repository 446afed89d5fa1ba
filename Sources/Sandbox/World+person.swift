import Core
import Strongbox

/// What the person does. There are no timers: whoever looks makes happen what the clock says has happened by now.
extension World {
    /// Another script, for the requests that are still open and for those to come.
    mutating func setPerson(_ script: PersonScript, at now: UnixTime) {
        settleAll(at: now)
        person = script
    }

    mutating func settleAll(at now: UnixTime) {
        for id in Array(grants.keys) { settle(id, at: now) }
    }

    /// Brings the open requests of a grant up to date.
    mutating func settle(_ grantID: String, at now: UnixTime) {
        guard let grant = grants[grantID] else { return }
        for id in grant.unfinished {
            guard let request = requests[id] else { continue }
            if let state = scriptedState(of: request, in: grant, at: now) { finish(id, state) }
        }
    }

    /// How the script has ended the request by now; `nil` while it has not.
    private func scriptedState(of request: CardRequest, in grant: Grant, at now: UnixTime) -> CardRequest.State? {
        let end = UnixTime(seconds: request.expiresAt)
        func isDue(_ delay: Duration) -> Bool {
            let due = request.createdAt + delay
            return due <= now && due < end
        }
        switch person {
        case .approve(let delay) where isDue(delay): return completed(request, in: grant, itemID: nil)
        case .deny(let delay) where isDue(delay):
            // A read from a `trust` vault shows no card that could be denied.
            return request.state == .approved ? completed(request, in: grant, itemID: nil) : .denied(reason: nil)
        case .approve, .deny, .expire, .manual: return now.seconds >= request.expiresAt ? .expired : nil
        }
    }

    /// The person's own tap, through the control door. `itemID`: what they pick, where they pick.
    mutating func approve(_ id: String, itemID: String?, at now: UnixTime) throws(Refusal) {
        let (request, grant) = try openRequest(id, at: now)
        if let itemID, !candidates(for: request, in: grant).contains(where: { $0.id == itemID }) {
            throw .invalidInput
        }
        finish(id, completed(request, in: grant, itemID: itemID))
    }

    mutating func deny(_ id: String, reason: String?, at now: UnixTime) throws(Refusal) {
        _ = try openRequest(id, at: now)
        finish(id, .denied(reason: reason))
    }

    mutating func expire(_ id: String, at now: UnixTime) throws(Refusal) {
        _ = try openRequest(id, at: now)
        finish(id, .expired)
    }

    mutating func finish(_ id: String, _ state: CardRequest.State) {
        requests.update(id) { $0.state = state }
        guard let grantID = requests[id]?.grantID else { return }
        grants.update(grantID) { $0.unfinished.removeAll { $0 == id } }
    }

    private mutating func openRequest(_ id: String, at now: UnixTime) throws(Refusal) -> (CardRequest, Grant) {
        if let grantID = requests[id]?.grantID { settle(grantID, at: now) }
        guard let request = requests[id], let grant = grants[request.grantID] else { throw .requestNotFound }
        guard !request.state.isFinal else { throw .requestNotPending }
        return (request, grant)
    }

    /// What the card offers, best first.
    func candidates(for request: CardRequest, in grant: Grant) -> [SampleItem] {
        switch request.operation {
        case .pick(let vaultID, let hint):
            hint.ordered(
                items.filter { item in vaultID.map { $0 == item.vaultID } ?? (grant.vault(item.vaultID) != nil) })
        case .get(_, let itemID): items.filter { $0.id == itemID }
        }
    }

    /// The item, sealed to the grant and bound to this request.
    private func completed(_ request: CardRequest, in grant: Grant, itemID: String?) -> CardRequest.State {
        let offered = candidates(for: request, in: grant)
        guard let item = itemID.flatMap({ id in offered.first { $0.id == id } }) ?? offered.first,
            let box = try? SealedBox.seal(
                item.plaintext, to: grant.sealKey, info: Wire.resultInfo,
                aad: Wire.boundTo(grantID: grant.id, requestID: request.id))
        else { return .denied(reason: nil) }
        return .completed(result: Wire.text(box))
    }
}
