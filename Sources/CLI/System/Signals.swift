import Glibc
import Synchronization

/// SIGINT and SIGTERM, taken by the main thread, which waits for them; every thread blocks them.
///
/// The first one is handed to who listens. When nobody does, or on the second one, the process ends at once.
enum Signals {
    private struct State {
        var listeners: [Int: @Sendable () -> Void] = [:]
        var nextID = 0
        var isEnding = false
    }

    private static let state = Mutex(State())

    /// Before any other thread is started: threads inherit what is blocked.
    static func block() {
        var set = watched
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `announce`, then returns at the first SIGINT or SIGTERM. One that comes as soon as it was announced that it
    /// may come is not missed.
    static func first(after announce: () -> Void) async {
        await withCheckedContinuation { continuation in
            _ = listen { continuation.resume() }
            announce()
        }
    }

    /// Runs `work` in a task that the first signal cancels.
    static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let task = Task { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        let listener = listen { task.cancel() }
        defer { ignore(listener) }
        return try await task.value.get()
    }

    private static func listen(_ body: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = body
            return state.nextID
        }
    }

    private static func ignore(_ listener: Int) {
        state.withLock { state in state.listeners[listener] = nil }
    }

    private static var watched: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        return set
    }

    /// What the main thread does.
    static func takeForEver() -> Never {
        var set = watched
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            let listeners = state.withLock { state -> [@Sendable () -> Void] in
                defer { state.isEnding = true }
                return state.isEnding ? [] : Array(state.listeners.values)
            }
            if listeners.isEmpty { _exit(128 + number) }
            for listener in listeners { listener() }
        }
    }
}
