package import Core

/// What one task waits for on a loop: that somebody rings, that a moment comes, or that the task is cancelled.
///
/// A ring that finds nobody waiting is kept for the next wait, so none is lost; it may be stale by then. The one who
/// waits therefore looks at its state, waits, and looks again.
package actor Bell {
    private nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package enum Outcome: Sendable {
        case rung
        case due
        case cancelled
    }

    private var timer: UVTimer?
    private var waiter: (id: UInt64, continuation: CheckedContinuation<Outcome, Never>)?
    private var lastID: UInt64 = 0
    private var hasRung = false

    package init(on loop: EventLoop) { self.loop = loop }

    /// Waits. One task at a time; the deadline is taken to the millisecond above. On a loop that is stopping, a wait
    /// with a deadline ends at once with `cancelled`.
    package func wait(until deadline: Instant?, heedingCancellation: Bool) async -> Outcome {
        precondition(waiter == nil, "two tasks wait for one bell")
        if hasRung {
            hasRung = false
            return .rung
        }
        lastID += 1
        let id = lastID
        guard heedingCancellation else {
            return await withCheckedContinuation { self.begin(id, $0, until: deadline) }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The handler may have run already, and found nobody who waits.
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                self.begin(id, continuation, until: deadline)
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.finish(id, .cancelled) } }
        }
    }

    /// Wakes the one who waits, or the next who will. To be called on the loop.
    package nonisolated func ring() { assumeIsolated { $0.ringHere() } }

    /// Gives the timer back and rings. To be called on the loop.
    package nonisolated func close() { assumeIsolated { $0.closeHere() } }

    private func ringHere() {
        if let waiter { finish(waiter.id, .rung) } else { hasRung = true }
    }

    private func closeHere() {
        timer?.close()
        timer = nil
        ringHere()
    }

    private func begin(_ id: UInt64, _ continuation: CheckedContinuation<Outcome, Never>, until deadline: Instant?) {
        waiter = (id, continuation)
        guard let deadline else { return }
        if timer == nil {
            timer = UVTimer(on: loop.uv) { [weak self] in self?.assumeIsolated { $0.timerFired() } }
        }
        guard let timer, !loop.uv.isStopping else { return finish(id, .cancelled) }
        timer.set(after: deadline - Clocks.monotonic())
    }

    private func timerFired() {
        if let waiter { finish(waiter.id, loop.uv.isStopping ? .cancelled : .due) }
    }

    private func finish(_ id: UInt64, _ outcome: Outcome) {
        guard let waiter, waiter.id == id else { return }
        self.waiter = nil
        timer?.clear()
        waiter.continuation.resume(returning: outcome)
    }
}
