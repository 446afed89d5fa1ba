package import Core
import Synchronization

/// One libuv loop on a thread of its own, and the executor of every task that touches it.
///
/// A task that touches a loop is created with `Task(executorPreference: loop)`: without the preference each resumption
/// goes through the global pool first (measured: 30 times slower). Nothing here is global: a program may have many loops.
package final class EventLoop: SerialExecutor, TaskExecutor, Sendable {
    /// Touched on the loop's thread only.
    nonisolated(unsafe) let uv: UVLoop
    /// Touched on the loop's thread only.
    nonisolated(unsafe) let receiveBuffer = ReceiveBuffer()
    /// Touched on the loop's thread only.
    nonisolated(unsafe) private let ready = WorkQueue()
    /// ThreadSanitizer reports races inside it, and there are none: where a `Mutex` is contended the kernel hands it on (a
    /// futex with priority inheritance), in code of the standard library that the sanitizer does not see. Any `Mutex` that
    /// two threads fight for is reported, an array in a `pthread_mutex_t` is not.
    private let inbox = Mutex(Inbox())
    /// The thread that runs our jobs at present; 0 when there is none.
    private let owner = Atomic<UInt>(0)

    private struct Inbox {
        var work: [Work] = []
        var phase = Phase.running
        var thread: Thread?
        var stopping: [CheckedContinuation<Thread?, Never>] = []
    }

    private enum Phase {
        /// To `stopping`.
        case running
        /// `stop` was called; handles are being closed. To `closing`.
        case stopping
        /// libuv is not to be woken any more; the thread runs what is left. To `ended`.
        case closing
        /// The thread has ended. To `straggling` when a job comes all the same.
        case ended
        /// A short-lived thread runs the late jobs. Back to `ended`.
        case straggling

        var canWake: Bool {
            switch self {
            case .running, .stopping: true
            case .closing, .ended, .straggling: false
            }
        }
    }

    /// Jobs of one pass before the loop looks for events again.
    private static let jobsPerTurn = 1024

    /// Starts the thread. Throws when the kernel gives no thread, epoll or eventfd.
    package init(name: String) throws(TransportError) {
        uv = try UVLoop()
        uv.turn = { [unowned self] in takeTurn() }
        let thread = try Thread(name: name) { self.main() }
        inbox.withLock { $0.thread = thread }
    }

    /// As many loops as this process has cores, but at most four: more than that, a local gateway cannot use.
    package static var usualCount: Int { min(4, max(1, UVLoop.availableParallelism)) }

    /// The machine's clocks, and sleeping on this loop's timers.
    package var time: TimeSource {
        TimeSource(
            now: Clocks.monotonic, wall: Clocks.wall,
            sleep: { deadline in try await Sleep(on: self).until(deadline) })
    }

    /// Closes every handle and ends the thread; returns when it has ended.
    ///
    /// Who waits on a handle is woken with an error, who sleeps with `CancellationError`. Jobs that come later still run,
    /// one at a time, on a thread made for them.
    package func stop() async {
        let thread = await withCheckedContinuation { (continuation: CheckedContinuation<Thread?, Never>) in
            let hasEnded = inbox.withLock { inbox -> Bool in
                switch inbox.phase {
                case .ended, .straggling: return true
                case .running:
                    inbox.phase = .stopping
                    uv.wake()
                case .stopping, .closing: break
                }
                inbox.stopping.append(continuation)
                return false
            }
            if hasEnded { continuation.resume(returning: nil) }
        }
        thread?.join()
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs a closure on the loop, soon. For callers that are not async, such as cancellation handlers.
    func execute(_ body: @escaping @Sendable () -> Void) { add(.call(body)) }

    package var isCurrent: Bool { owner.load(ordering: .relaxed) == Thread.current }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    package func checkIsolated() { precondition(isCurrent, "called off the thread of the event loop") }

    private func add(_ work: Work) {
        if isCurrent {
            ready.append(work)
            return
        }
        let needsThread = inbox.withLock { inbox -> Bool in
            inbox.work.append(work)
            if inbox.phase.canWake {
                if inbox.work.count == 1 { uv.wake() }
                return false
            }
            guard inbox.phase == .ended else { return false }
            inbox.phase = .straggling
            return true
        }
        if needsThread { runStragglers() }
    }

    // MARK: The thread

    private func main() {
        owner.store(Thread.current, ordering: .relaxed)
        uv.run()
        runWhatIsLeft()
    }

    /// Runs ready jobs before the loop waits for events; `true` when some are left.
    private func takeTurn() -> Bool {
        let isStopping = inbox.withLock { inbox -> Bool in
            ready.append(contentsOf: &inbox.work)
            return inbox.phase == .stopping
        }
        var budget = EventLoop.jobsPerTurn
        while budget > 0, let work = ready.takeFirst() {
            run(work)
            budget -= 1
        }
        if isStopping { goOnStopping() }
        return !ready.isEmpty
    }

    private func goOnStopping() {
        uv.stopHandles()
        guard !uv.hasHandles, ready.isEmpty else { return }
        inbox.withLock { $0.phase = .closing }
        uv.closeOwnHandles()
    }

    private func run(_ work: Work) {
        switch work {
        case .job(let job):
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .call(let body): body()
        }
    }

    /// The end of a thread: runs until nothing is left, then lets go of the ownership and wakes who waits for the end.
    private func runWhatIsLeft() {
        while true {
            while let work = ready.takeFirst() { run(work) }
            let ended = inbox.withLock { inbox -> (Thread?, [CheckedContinuation<Thread?, Never>])? in
                guard inbox.work.isEmpty else {
                    ready.append(contentsOf: &inbox.work)
                    return nil
                }
                inbox.phase = .ended
                owner.store(0, ordering: .relaxed)
                defer {
                    inbox.thread = nil
                    inbox.stopping = []
                }
                return (inbox.thread, inbox.stopping)
            }
            guard let (thread, waiting) = ended else { continue }
            for (index, continuation) in waiting.enumerated() {
                continuation.resume(returning: index == 0 ? thread : nil)
            }
            return
        }
    }

    private func runStragglers() {
        let late: @Sendable () -> Void = {
            self.owner.store(Thread.current, ordering: .relaxed)
            self.runWhatIsLeft()
        }
        do { try Thread(name: "late jobs", late).detach() } catch { late() }
    }
}
