import Core

/// One sleep on a loop's timers.
actor Sleep {
    private let loop: EventLoop
    private let bell: Bell

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// libuv's timers stand still while the machine is suspended, our clock does not: look at it at least this often.
    private static let longestNap = Duration.seconds(20)

    init(on loop: EventLoop) {
        self.loop = loop
        bell = Bell(on: loop)
    }

    /// Throws `CancellationError` when the task is cancelled or the loop stops.
    func until(_ deadline: Instant) async throws {
        defer { bell.close() }
        while true {
            try Task.checkCancellation()
            let now = Clocks.monotonic()
            if now >= deadline { return }
            switch await bell.wait(until: min(deadline, now + Sleep.longestNap), heedingCancellation: true) {
            case .rung, .due: continue
            case .cancelled: throw CancellationError()
            }
        }
    }
}
