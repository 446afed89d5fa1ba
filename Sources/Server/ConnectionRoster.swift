import Core

/// Which connections there are, and who gets a place: it decides, and touches no socket.
///
/// When all places are taken, the connection that has waited longest without a request makes room. If every one of them is
/// being served, the new one gets a place in the porch: there, one short request is read, and hardly any is answered.
struct ConnectionRoster {
    /// Whose connection it is, as far as limits go.
    enum Party: Hashable, Sendable {
        /// Over TCP: the kernel does not say who.
        case anyone
        /// A user at a Unix socket.
        case user(UInt32)
        /// At a socket that has a reserve: the operator's.
        case operators

        init(of peer: Peer) {
            switch peer.door {
            case .tcp: self = .anyone
            case .unix(let unix) where unix.hasReserve: self = .operators
            case .unix: self = peer.credentials.map { .user($0.uid) } ?? .anyone
            }
        }
    }

    enum Place: Hashable, Sendable {
        case house
        case porch
    }

    /// A new connection's number, its place, and who has to go for it.
    struct Admission: Hashable {
        let number: Int
        let place: Place
        let leaving: Int?
    }

    private struct Guest {
        let party: Party
        let place: Place
        let activity: Activity
    }

    private let limits: ServerLimits
    private var guests: [Int: Guest] = [:]
    /// Told to go, and not gone yet.
    private var leaving: Set<Int> = []
    private var counts: [Party: Int] = [:]
    private var inHouse = 0
    private var lastNumber = 0

    init(limits: ServerLimits) { self.limits = limits }

    var isEmpty: Bool { guests.isEmpty && leaving.isEmpty }

    /// `nil`: there is no place at all.
    mutating func admit(_ party: Party, _ activity: Activity) -> Admission? {
        var gone: Int?
        var place = Place.house
        if counts[party, default: 0] >= limits.connections(of: party) {
            gone = makeRoom { $0.place == .house && $0.party == party }
            if gone == nil { place = .porch }
        } else if inHouse >= limits.connections(for: party) {
            gone = makeRoom { $0.place == .house }
            if gone == nil { place = .porch }
        }
        if place == .porch, guests.count - inHouse >= limits.porch {
            gone = makeRoom { $0.place == .porch }
            if gone == nil { return nil }
        }
        lastNumber += 1
        add(lastNumber, Guest(party: party, place: place, activity: activity))
        return Admission(number: lastNumber, place: place, leaving: gone)
    }

    /// Claims the connection that has waited longest, whoever's it is.
    mutating func makeRoom() -> Int? { makeRoom { _ in true } }

    /// The connection is closed.
    mutating func forget(_ number: Int) {
        if leaving.remove(number) == nil { remove(number) }
    }

    /// The longest first, whether it is silent or has an unfinished head: who has just come is not driven out by those who
    /// came before and are slow.
    private mutating func makeRoom(among isCandidate: (Guest) -> Bool) -> Int? {
        guard leaving.count < limits.connections else { return nil }
        while true {
            var best: (number: Int, state: Activity.State, since: Instant)?
            for (number, guest) in guests where isCandidate(guest) {
                let state = guest.activity.state
                guard let since = state.waitsSince else { continue }
                if let best, (best.since, best.number) < (since, number) { continue }
                best = (number, state, since)
            }
            guard let best else { return nil }
            // Its request may have come at this very moment: then look again.
            guard guests[best.number]?.activity.claim(from: best.state) == true else { continue }
            remove(best.number)
            leaving.insert(best.number)
            return best.number
        }
    }

    private mutating func add(_ number: Int, _ guest: Guest) {
        guests[number] = guest
        guard guest.place == .house else { return }
        inHouse += 1
        counts[guest.party, default: 0] += 1
    }

    private mutating func remove(_ number: Int) {
        guard let guest = guests.removeValue(forKey: number), guest.place == .house else { return }
        inHouse -= 1
        let count = counts[guest.party, default: 0] - 1
        counts[guest.party] = count > 0 ? count : nil
    }
}

extension Activity.State {
    /// `nil` for who does not wait for anything that comes.
    fileprivate var waitsSince: Instant? {
        switch self {
        case .idle(let since), .head(let since): since
        case .busy, .claimed: nil
        }
    }
}
