import Glibc

/// A thread of its own for an actor whose work blocks (files, SQLite), so that the shared threads never wait for a disk.
///
/// It ends when the executor goes. A job that waits keeps its executor alive.
final class DedicatedThread: SerialExecutor {
    private let jobs: JobQueue

    /// Fails when the system has no thread left.
    /// - Parameter atEnd: the thread's last act.
    init(atEnd: @escaping @Sendable () -> Void = {}) throws(StoreError) {
        jobs = JobQueue(atEnd: atEnd)
        // Signals belong to the loops: this thread takes none.
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var thread = pthread_t()
        let queue = Unmanaged.passRetained(jobs)
        let status = pthread_create(
            &thread, nil,
            { queue in
                Unmanaged<JobQueue>.fromOpaque(queue!).takeRetainedValue().run()
                return nil
            }, queue.toOpaque())
        guard status == 0 else {
            queue.release()
            throw StoreError(.unavailable, "No thread for the store: \(SystemError(number: status).text).")
        }
        pthread_detach(thread)
    }

    deinit { jobs.stop() }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job), on: self) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// Jobs in order, and a thread that waits for them. `@unchecked Sendable`: everything is behind the lock.
private final class JobQueue: @unchecked Sendable {
    private struct Entry {
        let job: UnownedJob
        let executor: DedicatedThread
    }

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var entries: [Entry] = []
    private var isStopped = false
    private let atEnd: @Sendable () -> Void

    init(atEnd: @escaping @Sendable () -> Void) {
        self.atEnd = atEnd
        lock.initialize(to: pthread_mutex_t())
        change.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    func add(_ job: UnownedJob, on executor: DedicatedThread) {
        pthread_mutex_lock(lock)
        entries.append(Entry(job: job, executor: executor))
        pthread_cond_signal(change)
        pthread_mutex_unlock(lock)
    }

    func stop() {
        pthread_mutex_lock(lock)
        isStopped = true
        pthread_cond_signal(change)
        pthread_mutex_unlock(lock)
    }

    func run() {
        while let batch = next() {
            for entry in batch {
                entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
            }
        }
        atEnd()
    }

    /// Everything that is there, as soon as something is; `nil` once it was stopped.
    private func next() -> [Entry]? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while entries.isEmpty, !isStopped { pthread_cond_wait(change, lock) }
        if entries.isEmpty { return nil }
        defer { entries.removeAll() }
        return entries
    }
}
