import Glibc
import Synchronization

/// SIGINT and SIGTERM, taken by the main thread, which waits for them; every thread blocks them.
///
/// The first one is handed to who listens, and the second one to who listens for that. When nobody does, or on the third
/// one, the process ends at once.
enum Signals {
    private struct State {
        var listeners: [Int: @Sendable (Int32) -> Void] = [:]
        var secondListener: (@Sendable (Int32) -> Void)?
        var nextID = 0
        var count = 0

        /// Who is told of the signal that has come now.
        mutating func takeListeners() -> [@Sendable (Int32) -> Void] {
            count += 1
            switch count {
            case 1: return Array(listeners.values)
            case 2: return secondListener.map { [$0] } ?? []
            default: return []
            }
        }
    }

    private static let state = Mutex(State())

    /// Before any other thread is started: threads inherit what is blocked.
    static func block() {
        var set = watched
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `announce`, then returns at the first SIGINT or SIGTERM, and says whether it was SIGINT: somebody sits at the
    /// terminal. One that comes as soon as it was announced that it may come is not missed.
    @discardableResult
    static func first(after announce: () -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = listen { number in continuation.resume(returning: number == SIGINT) }
            announce()
        }
    }

    /// Calls `body` at the second signal, instead of ending the process. To be called before the first one.
    static func onSecond(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.secondListener = { _ in body() } }
    }

    /// Runs `work` in a task that the first signal cancels.
    static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let task = Task { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        let listener = listen { _ in task.cancel() }
        defer { ignore(listener) }
        return try await task.value.get()
    }

    private static func listen(_ body: @escaping @Sendable (Int32) -> Void) -> Int {
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
            let listeners = state.withLock { $0.takeListeners() }
            if listeners.isEmpty { _exit(128 + number) }
            for listener in listeners { listener(number) }
        }
    }
}
