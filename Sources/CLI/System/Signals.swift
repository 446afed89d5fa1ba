import Glibc
import Synchronization

/// SIGINT and SIGTERM, taken by one thread that waits for them; every other thread blocks them.
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
    static func prepare() {
        var set = watched
        pthread_sigmask(SIG_BLOCK, &set, nil)
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { _ in Signals.takeForEver() }, nil)
        precondition(code == 0, "the kernel gives no thread")
        pthread_detach(thread)
    }

    /// Returns at the first SIGINT or SIGTERM.
    static func first() async {
        await withCheckedContinuation { continuation in
            _ = listen { continuation.resume() }
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

    private static func takeForEver() -> Never {
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
