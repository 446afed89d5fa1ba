import Core
import MimiKey
import Strongbox

/// Handing out results. Nothing is kept open: a box is opened for one answer, cut down to what policy lets out at that
/// moment, and wiped once it is written.
extension AskBook {
    /// Results that are open at once.
    static let mostOpenBoxes = 8

    /// The answer with the result; `nil` when there is none to hand out.
    func release(
        _ id: AskID, to caller: CallerSettings, joined: Bool, until: Instant
    ) async throws(Problem) -> AskAnswer? {
        guard let sealed = try await heldResult(id, until: until) else { return nil }
        try await beWrittenDown(id)
        let granted = await client.grantStatus().vaults
        await openBox()
        guard let entry = entries[id], entry.life?.state(at: time.now()) == .held,
            let upstreamID = entry.ask.upstreamID, !Task.isCancelled
        else {
            closeBox()
            return nil
        }
        do throws(Problem) {
            let plaintext = try await client.open(sealed, of: upstreamID)
            defer { plaintext.wipe() }
            try FaultPoint.resultOpened.reached(
                orThrow: Problem(.resultOpenFailed, "The result could not be opened.", executed: true))
            let result = try ItemResult(reading: plaintext)
            let fields = try Self.fields(of: result, for: entry, policy: caller.policy, granted: granted)
            let view = entry.view(at: time.now(), joined: joined, downloadURL: settings.downloadURL)
            let segments = view.segments(around: result.projection(to: fields))
            return .released(view, SecretBody(assembling: segments, from: plaintext))
        } catch {
            closeBox()
            await refuseResult(id, error.code)
            return nil
        }
    }

    /// What policy lets out of this item now, on the full facts.
    private static func fields(
        of result: ItemResult, for entry: AskEntry, policy: Policy, granted: [Vault]
    ) throws(Problem) -> FieldSelection {
        let call = entry.ask.call
        switch policy.decideRelease(of: result.facts, for: call, granted: granted, isUntapped: entry.isUntapped) {
        case .denied(let denial):
            throw Problem(.policyDeniedOnItem, denial.problem(for: call.op).detail, executed: true)
        case .allowed(let permission):
            guard permission.fields.meets(result.names) else { throw Denial.noFieldLeft.problem(for: call.op) }
            return permission.fields
        }
    }

    /// The sealed result, fetched again from MimiKey when a restart has lost it. That takes no longer than the asker waits, or
    /// as long as MimiKey has for a card.
    private func heldResult(_ id: AskID, until: Instant) async throws(Problem) -> String? {
        guard let entry = entries[id], entry.ask.state == .completed, entry.life?.state(at: time.now()) == .held,
            let upstreamID = entry.ask.upstreamID
        else { return nil }
        if let sealed = entry.sealedResult { return sealed }
        do throws(Problem) {
            let snapshot = try await fetch(upstreamID, within: max(until - time.now(), Self.forTheCard))
            guard let sealed = snapshot.sealedResult, sealed.utf8.count <= Self.longestSealedResult else {
                await refuseResult(id, .resultMissing)
                return nil
            }
            entries[id]?.sealedResult = sealed
            return sealed
        } catch {
            guard error.code.rawValue == "request_not_found" else {
                var problem = error
                problem.askID = id
                problem.executed = true
                throw problem
            }
            await refuseResult(id, .resultMissing)
            return nil
        }
    }

    private func fetch(_ upstreamID: String, within duration: Duration) async throws(Problem) -> RequestSnapshot {
        let client = client
        let late = Problem(.upstreamTimeout, "MimiKey did not give the result in time; it is still there.")
        let outcome: Result<RequestSnapshot, Problem> = await within(duration, else: .failure(late)) {
            do throws(Problem) {
                return .success(try await client.request(upstreamID))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// A result is handed out once it is durable that there is one: else a crash could hand it out anew, as if it had just
    /// come.
    private func beWrittenDown(_ id: AskID) async throws(Problem) {
        guard entries[id]?.isUnwritten == true else { return }
        await persist(id)
        guard entries[id]?.isUnwritten == true else { return }
        throw Problem(
            .storage, "The end of the ask cannot be written down now; its result is handed out once it is.",
            executed: true, askID: id, retryAfter: .seconds(5))
    }

    /// Waits until fewer than eight results are open. Each is closed when its answer is written, which has a time limit.
    private func openBox() async {
        let (changes, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = newWatcher()
        boxWatchers[number] = watcher
        defer { boxWatchers[number] = nil }
        var iterator = changes.makeAsyncIterator()
        while openBoxes >= Self.mostOpenBoxes {
            if await iterator.next(isolation: self) == nil { break }
        }
        openBoxes += 1
    }

    func closeBox() {
        openBoxes -= 1
        for watcher in boxWatchers.values { watcher.yield() }
    }
}

extension FieldSelection {
    /// Is anything of these let out?
    fileprivate func meets(_ names: Set<String>) -> Bool {
        switch self {
        case .all: true
        case .only(let selected): !selected.isDisjoint(with: names)
        }
    }
}
