/// Decides which address of a service is tried, and when (RFC 8305): the families take turns, a next attempt begins a
/// quarter of a second after the last one or as soon as one has failed, and the first connection wins.
package struct AddressRace: Sendable {
    package enum Step: Hashable, Sendable {
        case dial(IPAddress)
        /// Until an attempt ends, or until then. `nil`: nothing is left to be begun.
        case wait(until: Instant?)
        /// Every attempt has failed.
        case lost
    }

    /// [RFC 8305, section 5]
    package static let stagger = Duration.milliseconds(250)
    /// Addresses that are tried at all.
    package static let most = 8

    private var untried: ArraySlice<IPAddress>
    private var running = 0
    private var next: Instant?

    /// - Parameter addresses: in the order of preference.
    package init(_ addresses: [IPAddress]) {
        untried = Self.takingTurns(addresses).prefix(Self.most)
    }

    package mutating func step(at now: Instant) -> Step {
        if untried.isEmpty { return running == 0 ? .lost : .wait(until: nil) }
        if running > 0, let next, now < next { return .wait(until: next) }
        running += 1
        next = now + Self.stagger
        return .dial(untried.removeFirst())
    }

    /// An attempt ended without a connection.
    package mutating func attemptFailed() {
        running -= 1
        next = nil
    }

    /// The families by turns, beginning with that of the first address; within a family the order stays.
    private static func takingTurns(_ addresses: [IPAddress]) -> [IPAddress] {
        guard let first = addresses.first else { return [] }
        let leading = addresses.filter { $0.isV4 == first.isV4 }
        let other = addresses.filter { $0.isV4 != first.isV4 }
        var ordered: [IPAddress] = []
        for index in 0..<max(leading.count, other.count) {
            if index < leading.count { ordered.append(leading[index]) }
            if index < other.count { ordered.append(other[index]) }
        }
        return ordered
    }
}

extension IPAddress {
    fileprivate var isV4: Bool {
        switch self {
        case .v4: true
        case .v6: false
        }
    }
}
