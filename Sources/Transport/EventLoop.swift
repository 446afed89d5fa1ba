package import Core

/// One libuv loop on a thread of its own, and the executor of every task that touches it.
///
/// A task that touches a loop is created with `Task(executorPreference: loop)`: without the preference each resumption
/// goes through the global pool first (measured: 30 times slower).
package final class EventLoop: SerialExecutor, TaskExecutor, Sendable {
    /// Starts the thread. Throws when the kernel gives no thread, epoll or eventfd.
    package init(name: String) throws(TransportError) { fatalError() }

    /// The machine's clocks, and sleeping on this loop's timers.
    package var time: TimeSource { fatalError() }

    package func enqueue(_ job: consuming ExecutorJob) { fatalError() }

    /// Closes every handle and ends the thread; returns when it has ended.
    package func stop() async { fatalError() }
}

/// What the kernel, or libuv on its behalf, answered.
package struct TransportError: Error, Hashable, Sendable {
    /// The name of the error, such as `EADDRINUSE`.
    package let name: String
    /// What was being done, such as `listening on 127.0.0.1:7447`.
    package let doing: String

    package init(name: String, doing: String) {
        self.name = name
        self.doing = doing
    }
}
