import Core

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
            if let tap = scriptedTap(on: request, at: now) { carryOut(tap, on: request, in: grant) }
        }
    }

    /// One thing that a person does with a card.
    enum Tap {
        /// `itemID`: what they pick, where they pick.
        case approve(itemID: String?, savesOutside: Bool)
        case deny(reason: String?)
        /// Lets it run out.
        case expire
    }

    /// What the script has done with the request by now; `nil` while it has done nothing.
    private func scriptedTap(on request: CardRequest, at now: UnixTime) -> Tap? {
        let end = UnixTime(seconds: request.expiresAt)
        func isDue(_ delay: Duration) -> Bool {
            let due = request.pendingSince + delay
            return request.state != .draft && due <= now && due < end
        }
        switch person.taps {
        case .approve(let delay, let savesOutside) where isDue(delay):
            return .approve(itemID: nil, savesOutside: savesOutside)
        case .deny(let delay) where isDue(delay):
            // A read that was allowed shows no card that could be denied.
            return request.state == .approved ? .approve(itemID: nil, savesOutside: false) : .deny(reason: nil)
        case .conflict(let delay) where isDue(delay):
            if case .update = request.operation { return .deny(reason: Wire.conflict) }
            return .approve(itemID: nil, savesOutside: false)
        case .approve, .deny, .conflict, .expire, .manual, .notSignedIn: return now < end ? nil : .expire
        }
    }

    /// The person's own tap, through the control door.
    mutating func tap(_ tap: Tap, on id: String, at now: UnixTime) throws(Refusal) {
        if let grantID = requests[id]?.grantID { settle(grantID, at: now) }
        guard let request = requests[id], let grant = grants[request.grantID] else { throw .requestNotFound }
        switch (tap, request.state) {
        case (.expire, .draft): break
        case (_, .pending), (_, .approved): break
        case (_, .draft), (_, .completed), (_, .denied), (_, .cancelled), (_, .expired): throw .requestNotPending
        }
        if case .approve(let itemID?, _) = tap,
            !candidates(for: request, in: grant).contains(where: { $0.id == itemID })
        {
            throw .invalidInput
        }
        carryOut(tap, on: request, in: grant)
    }

    private mutating func carryOut(_ tap: Tap, on request: CardRequest, in grant: Grant) {
        switch tap {
        case .approve(let itemID, let savesOutside):
            finish(request.id, completed(request, in: grant, itemID: itemID, savesOutside: savesOutside))
        case .deny(let reason): finish(request.id, .denied(reason: reason))
        case .expire: finish(request.id, .expired)
        }
    }

    mutating func finish(_ id: String, _ state: CardRequest.State) {
        requests.update(id) {
            $0.state = state
            $0.patch = nil
        }
        guard let grantID = requests[id]?.grantID else { return }
        grants.update(grantID) { $0.unfinished.removeAll { $0 == id } }
    }

    /// What the card offers, best first.
    func candidates(for request: CardRequest, in grant: Grant) -> [SampleItem] {
        switch request.operation {
        case .pick(let vaultID, let hint):
            hint.ordered(
                items.filter { item in
                    vaultID.map { $0 == item.vaultID } ?? (grant.vault(item.vaultID)?.isLive ?? false)
                })
        case .get(_, let itemID), .update(_, let itemID, _): items.filter { $0.id == itemID }
        case .create: []
        }
    }
}
