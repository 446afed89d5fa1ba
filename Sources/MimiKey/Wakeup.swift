import Core
import Synchronization

/// A signal that one task waits for. It stays set until it is seen, so none is lost between two waits.
final class Wakeup: Sendable {
    private enum State {
        case quiet
        case signalled
        case awaited(CheckedContinuation<Bool, Never>)
    }

    private let state = Mutex(State.quiet)

    func signal() {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if case .awaited(let continuation) = state {
                state = .quiet
                return continuation
            }
            state = .signalled
            return nil
        }
        waiting?.resume(returning: true)
    }

    /// Returns `true` at the signal, `false` when the task is cancelled first.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation before this line finds nobody to resume: so it is looked for under the lock.
                let outcome = state.withLock { state -> Bool? in
                    switch state {
                    case .signalled:
                        state = .quiet
                        return true
                    case .quiet where Task.isCancelled:
                        return false
                    case .quiet, .awaited:
                        state = .awaited(continuation)
                        return nil
                    }
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard case .awaited(let continuation) = state else { return nil }
                state = .quiet
                return continuation
            }
            waiting?.resume(returning: false)
        }
    }

    /// Waits for the signal, at the latest until `instant`. Returns whether the signal came.
    func wait(until instant: Instant, on time: TimeSource) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.wait() }
            group.addTask {
                try? await time.sleep(instant)
                return false
            }
            var signalled = false
            for await came in group {
                signalled = signalled || came
                group.cancelAll()
            }
            return signalled
        }
    }
}
