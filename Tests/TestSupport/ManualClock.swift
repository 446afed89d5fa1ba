package import Core
import Synchronization

/// A clock that moves only when a test says so.
package final class ManualClock: Sendable {
    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let isReached: @Sendable ([Duration]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Instant
        var wall: UnixTime
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var nextID = 0
        var watchers: [Watcher] = []

        /// How long each sleeper has still to go.
        var remaining: [Duration] { sleepers.values.map { $0.deadline - now } }
    }

    private let state: Mutex<State>

    package init(wall: UnixTime = UnixTime(seconds: 1_780_000_000)) {
        state = Mutex(State(now: Instant(nanoseconds: 1_000_000_000_000), wall: wall))
    }

    package var now: Instant { state.withLock { $0.now } }
    package var wall: UnixTime { state.withLock { $0.wall } }

    package var source: TimeSource {
        TimeSource(now: { self.now }, wall: { self.wall }, sleep: { try await self.sleep(until: $0) })
    }

    /// Moves both clocks and wakes who slept until then.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
            state.now = state.now + duration
            state.wall = state.wall + duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Somebody sets the wall clock; the monotonic one knows nothing of it.
    package func set(wall: UnixTime) { state.withLock { $0.wall = wall } }

    /// Returns once at least `count` tasks sleep on this clock.
    package func untilSleeping(_ count: Int = 1) async { await untilSleepers { $0.count >= count } }

    /// Returns once the sleepers are as wanted; `isReached` is given how long each has still to go.
    package func untilSleepers(_ isReached: @escaping @Sendable ([Duration]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> Bool in
                if isReached(state.remaining) { return true }
                state.watchers.append(Watcher(isReached: isReached, continuation: continuation))
                return false
            }
            if ready { continuation.resume() }
        }
    }

    private func sleep(until deadline: Instant) async throws {
        let id = state.withLock { state -> Int in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                enum Outcome { case sleeping([CheckedContinuation<Void, Never>]), due, cancelled }
                let outcome = state.withLock { state -> Outcome in
                    if state.cancelled.remove(id) != nil { return .cancelled }
                    if deadline <= state.now { return .due }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    let remaining = state.remaining
                    let reached = state.watchers.filter { $0.isReached(remaining) }
                    state.watchers.removeAll { $0.isReached(remaining) }
                    return .sleeping(reached.map(\.continuation))
                }
                switch outcome {
                case .sleeping(let watchers): for watcher in watchers { watcher.resume() }
                case .due: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
                state.cancelled.insert(id)
                return nil
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
