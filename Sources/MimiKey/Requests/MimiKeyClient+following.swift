package import Core

extension MimiKeyClient {
    /// Polls until the request is finished or given up, on the schedule of protocol §5. `update` is called for each
    /// change; `hints` yields whenever something says that a look is worth it.
    /// Returns the last snapshot; throws `expired`, whose `cause` is the code that the last look failed with, if it did, or
    /// what ended the polling.
    package func follow(
        _ id: String, expiresAt: UnixTime, hints: AsyncStream<Void>,
        update: @escaping @Sendable (RequestSnapshot) async -> Void
    ) async throws(Problem) -> RequestSnapshot {
        let wakeup = Wakeup()
        let outcome = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in hints { wakeup.signal() }
            }
            let outcome = await poll(id, expiresAt: expiresAt, wakeup: wakeup, update: update)
            group.cancelAll()
            return outcome
        }
        return try outcome.get()
    }

    private func poll(
        _ id: String, expiresAt: UnixTime, wakeup: Wakeup,
        update: @Sendable (RequestSnapshot) async -> Void
    ) async -> Result<RequestSnapshot, Problem> {
        let begun = time.now()
        var deadline = RequestDeadline(expiresAt, at: serverTime)
        var clock = serverClock
        var schedule = PollSchedule(
            interval: configuration.pollInterval, deadline: instant(of: deadline.time), startedAt: begun,
            spread: spread())
        // Until MimiKey's time was learnt, the deadline was read from a clock that is wrong.
        func readClock() {
            if clock == serverClock { return }
            clock = serverClock
            deadline.readAnew(at: serverTime)
            schedule.move(deadline: instant(of: deadline.time))
        }
        var last: RequestSnapshot?
        var lastFailure: Problem?
        while !Task.isCancelled {
            readClock()
            switch schedule.step(at: time.now()) {
            case .giveUp:
                return .failure(.expired(after: lastFailure))
            case .wait(let until):
                if await wakeup.wait(until: until, on: time) { schedule.hint(at: time.now()) }
            case .poll:
                do throws(CallFailure) {
                    let response = try await look(id)
                    readClock()
                    var snapshot = try reading(response, of: id)
                    if snapshot.state == .completed {
                        try FaultPoint.resultFetched.reached(orThrow: CallFailure.transport(.injected))
                    }
                    schedule.answered(
                        at: time.now(), retryAfter: Wire.retryAfter(response.fields, now: time.wall()),
                        spread: spread())
                    lastFailure = nil
                    if let stated = snapshot.expiresAt {
                        schedule.move(by: deadline.move(to: stated))
                        snapshot.expiresAt = deadline.time
                    }
                    if snapshot != last {
                        last = snapshot
                        await update(snapshot)
                    }
                    if snapshot.state.isFinished { return .success(snapshot) }
                } catch {
                    lastFailure = error.problem
                    switch PollVerdict(on: error, age: time.now() - begun) {
                    case .answered(let pause):
                        schedule.answered(at: time.now(), retryAfter: pause, spread: spread())
                    case .failed: schedule.failed(at: time.now(), spread: spread())
                    case .final(let problem): return .failure(problem)
                    }
                }
            }
        }
        return .failure(Problem(.cancelled, "The wait was cancelled."))
    }
}

extension Problem {
    fileprivate static func expired(after failure: Problem?) -> Problem {
        guard let failure else { return Problem(.expired, "Nobody answered the card in time.") }
        return Problem(
            .expired, "No result came in time; the last look at MimiKey ended with: \(failure.title.lowercased()).",
            cause: failure.code)
    }
}
