package import Core

/// Work that blocks, on a thread of its own. Whoever asks while it runs gets the same outcome, so there is never more
/// than one such thread; whoever stops waiting leaves it to end by itself.
package actor BlockingWork<Value: Sendable> {
    private nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let name: String
    private let work: @Sendable () -> Value
    private let isLasting: @Sendable (Value) -> Bool
    private var isRunning = false
    private var kept: Value?
    private var waiters: [Waiter] = []

    private final class Waiter {
        let bell: Bell
        var value: Value?

        init(on loop: EventLoop) { bell = Bell(on: loop) }
    }

    /// - Parameters:
    ///   - name: of the thread.
    ///   - isLasting: such an outcome is kept, and the work not done again.
    package init(
        _ name: String, on loop: EventLoop, keeping isLasting: @escaping @Sendable (Value) -> Bool = { _ in false },
        _ work: @escaping @Sendable () -> Value
    ) {
        self.name = name
        self.loop = loop
        self.isLasting = isLasting
        self.work = work
    }

    /// Throws `timedOut`, `cancelled`, `closed` when the loop stops, `lost` when there is no thread to be had.
    package func value(by deadline: Instant) async throws(StreamError) -> Value {
        if let kept { return kept }
        try begin()
        let waiter = Waiter(on: loop)
        waiters.append(waiter)
        let outcome = await waiter.bell.wait(until: deadline, heedingCancellation: true)
        waiter.bell.close()
        waiters.removeAll { $0 === waiter }
        if let value = waiter.value { return value }
        switch outcome {
        case .due: throw .timedOut
        case .rung, .cancelled: throw Task.isCancelled ? .cancelled : .closed
        }
    }

    private func begin() throws(StreamError) {
        guard !isRunning else { return }
        let work = work
        do throws(TransportError) {
            try Thread(name: name) {
                let value = work()
                self.loop.execute { self.assumeIsolated { $0.finished(value) } }
            }.detach()
        } catch { throw .lost(error) }
        isRunning = true
    }

    private func finished(_ value: Value) {
        isRunning = false
        if isLasting(value) { kept = value }
        for waiter in waiters {
            waiter.value = value
            waiter.bell.ring()
        }
    }
}
