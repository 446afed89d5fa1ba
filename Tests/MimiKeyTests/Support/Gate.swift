import Synchronization

/// Holds whoever comes until it is opened, and tells when somebody has come.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var came = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (through, watchers) = state.withLock { state in
                state.came += 1
                defer { state.watchers = [] }
                if !state.isOpen { state.held.append(continuation) }
                return (state.isOpen, state.watchers)
            }
            for watcher in watchers { watcher.resume() }
            if through { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns once somebody has come.
    func untilReached() async {
        await withCheckedContinuation { continuation in
            let reached = state.withLock { state in
                if state.came == 0 { state.watchers.append(continuation) }
                return state.came > 0
            }
            if reached { continuation.resume() }
        }
    }
}
