import Core
import Synchronization

/// How many requests of each caller are being answered at this moment.
final class Seats: Sendable {
    private let taken = Mutex<[CallerName: Int]>([:])

    /// A place for one request of the caller.
    func take(for caller: CallerSettings) throws(Problem) -> Seat {
        let isFree = taken.withLock { taken -> Bool in
            guard taken[caller.name, default: 0] < caller.limits.connections else { return false }
            taken[caller.name, default: 0] += 1
            return true
        }
        guard isFree else {
            throw Problem(
                .tooManyConnections, "As many requests of this caller are being answered as may be at one time.",
                retryAfter: .seconds(1))
        }
        return Seat(of: caller.name, in: self)
    }

    fileprivate func free(_ caller: CallerName) {
        taken.withLock { taken in
            let rest = taken[caller, default: 0] - 1
            taken[caller] = rest > 0 ? rest : nil
        }
    }
}

/// One request's place. It is free again when the answer is over, or when nobody holds it any more: whatever becomes of
/// the request, it is not lost.
final class Seat: Sendable {
    private let caller: CallerName
    private let seats: Seats
    private let isTaken = Atomic(true)

    fileprivate init(of caller: CallerName, in seats: Seats) {
        self.caller = caller
        self.seats = seats
    }

    deinit { leave() }

    private func leave() {
        if isTaken.exchange(false, ordering: .relaxed) { seats.free(caller) }
    }

    /// The answer, which keeps the place until it is over.
    func held(by response: HTTPResponse) -> HTTPResponse {
        var response = response
        let delivered = response.delivered
        response.delivered = { complete in
            self.leave()
            delivered?(complete)
        }
        return response
    }
}
