import Core
import Transport

/// The connections to one endpoint: the one used last is used next, so that those not needed grow old and are closed.
actor ConnectionPool {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// A connection on loan, and whether it has served before.
    struct Lease {
        let stream: any Connection
        let isReused: Bool
    }

    /// What a request has to be sent on.
    enum Want {
        /// One that is kept, if there is one.
        case any
        /// One that is made for it.
        case new
        /// As `new`, and those kept so far are not trusted any more.
        case newAfterLoss
    }

    /// Requests that wait for a connection at one time; one more is refused at once.
    private static let longestQueue = 256

    private let dialer: Dialer
    private let limit: Int
    private let idleTime: Duration
    private let time: TimeSource

    /// Those that wait for work; the one used last stands last.
    private var idle: [(stream: any Connection, since: Instant)] = []
    /// Connections on loan or being dialled.
    private var busy = 0
    private var queue: [Waiter] = []
    private var isClosed = false
    private var isSweeping = false
    private let sweeper: Bell
    /// Who waits for the last connection to be given back.
    private var unusedWaiters: [Bell] = []

    private final class Waiter {
        let bell: Bell
        /// A place among the busy ones was handed to it.
        var hasPlace = false

        init(on loop: EventLoop) { bell = Bell(on: loop) }
    }

    init(_ dialer: Dialer, on loop: EventLoop, connections: Int, idle: Duration) {
        self.dialer = dialer
        self.loop = loop
        limit = max(1, connections)
        idleTime = idle
        time = loop.time
        sweeper = Bell(on: loop)
    }

    /// A connection that seems alive, or a new one.
    func take(_ want: Want, by deadlines: Dialer.Deadlines) async throws(SendFailure) -> Lease {
        try await takePlace(by: deadlines.connected)
        switch want {
        case .any: if let kept = await takeKept() { return Lease(stream: kept, isReused: true) }
        case .new: await makeRoom()
        case .newAfterLoss: await closeIdle()
        }
        do throws(SendFailure) {
            return Lease(stream: try await dialer.dial(by: deadlines), isReused: false)
        } catch {
            givePlaceBack()
            throw error
        }
    }

    /// The one used last that seems alive.
    private func takeKept() async -> (any Connection)? {
        while let kept = idle.popLast() {
            // The sweeper may come late, when the program or the machine stood still: then the other side may be gone.
            let isOld = kept.since + idleTime <= time.now()
            if !isOld, await kept.stream.isQuiet() { return kept.stream }
            await kept.stream.close()
        }
        return nil
    }

    /// Those kept and those on loan are never more than the limit together: the oldest kept ones give way.
    private func makeRoom() async {
        while busy + idle.count > limit, !idle.isEmpty {
            let oldest = idle.removeFirst()
            await oldest.stream.close()
        }
    }

    func giveBack(_ lease: Lease, reusable: Bool) async {
        if reusable, !isClosed, await lease.stream.isQuiet(), !isClosed {
            keep(lease.stream)
        } else {
            await lease.stream.close()
        }
        givePlaceBack()
    }

    func close() async {
        isClosed = true
        sweeper.ring()
        await closeIdle()
        for waiter in queue { waiter.bell.ring() }
    }

    /// Returns when every connection was given back.
    func untilUnused() async {
        while busy > 0 {
            let bell = Bell(on: loop)
            unusedWaiters.append(bell)
            _ = await bell.wait(until: nil, heedingCancellation: false)
        }
    }

    // MARK: Places

    private func takePlace(by deadline: Instant) async throws(SendFailure) {
        guard !isClosed else { throw SendFailure(.connectFailed, bytesMayHaveLeft: false) }
        if busy < limit, queue.isEmpty {
            busy += 1
            return
        }
        guard queue.count < ConnectionPool.longestQueue else {
            throw SendFailure(.connectFailed, bytesMayHaveLeft: false)
        }
        let waiter = Waiter(on: loop)
        queue.append(waiter)
        let outcome = await waiter.bell.wait(until: deadline, heedingCancellation: true)
        waiter.bell.close()
        if waiter.hasPlace {
            guard outcome == .cancelled || isClosed else { return }
            givePlaceBack()
        } else {
            queue.removeAll { $0 === waiter }
        }
        throw SendFailure(outcome == .cancelled ? .cancelled : .connectFailed, bytesMayHaveLeft: false)
    }

    /// Hands the place to the one who has waited longest.
    private func givePlaceBack() {
        if !queue.isEmpty, !isClosed {
            let next = queue.removeFirst()
            next.hasPlace = true
            next.bell.ring()
            return
        }
        busy -= 1
        if busy == 0 {
            for bell in unusedWaiters { bell.ring() }
            unusedWaiters = []
        }
    }

    // MARK: Idle connections

    private func keep(_ stream: any Connection) {
        idle.append((stream, time.now()))
        guard !isSweeping else { return }
        isSweeping = true
        Task.immediate(executorPreference: loop) { await self.sweep() }
    }

    /// Closes what has been idle too long or was ended by the other side, until nothing is idle.
    private func sweep() async {
        while let oldest = idle.first, !isClosed {
            let outcome = await sweeper.wait(until: oldest.since + idleTime, heedingCancellation: false)
            if outcome == .cancelled { break }
            let now = time.now()
            let old = idle.prefix { $0.since + idleTime <= now }
            idle.removeFirst(old.count)
            for connection in old { await connection.stream.close() }
        }
        isSweeping = false
        sweeper.close()
    }

    private func closeIdle() async {
        let all = idle
        idle = []
        for connection in all { await connection.stream.close() }
    }
}
