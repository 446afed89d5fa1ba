import Core
import Strongbox

extension MimiKeyClient {
    /// What the next call is made with, after a refresh if one is due.
    func access() async throws(Problem) -> AccessTicket {
        // One refresh settles it; the second round is for the rare case that the grant was replaced meanwhile.
        for _ in 0..<3 {
            if revocations > 0 { throw Self.beingRevoked }
            let held = try currentGrant()
            switch held.schedule.step(at: time.now()) {
            case .use: return AccessTicket(grant: held.stored, epoch: held.epoch, generation: held.generation)
            case .refuse(let problem): throw problem
            case .refresh, .store: await refresh()
            }
        }
        throw Problem(.internalError, "No usable access token came out of a refresh.")
    }

    /// MimiKey did not accept this access token.
    func rejected(_ ticket: AccessTicket) {
        guard held?.epoch == ticket.epoch, held?.generation == ticket.generation else { return }
        held?.schedule.rejected(at: time.now())
    }

    /// What lets a refresh begin.
    enum RefreshCause: Sendable {
        /// The access token is about to run out.
        case due
        /// The operator wants new tokens now.
        case demanded
        /// The operator knows that this may cost the grant.
        case triedOnce
    }

    /// One at a time, whoever asks; it is not cancelled with them.
    func refresh(because cause: RefreshCause = .due) async {
        if let refreshing { return await refreshing.value }
        let task = detached { client in
            await client.exclusively { await $0.renew(because: cause) }
            client.refreshing = nil
        }
        refreshing = task
        await task.value
    }

    private func renew(because cause: RefreshCause) async {
        guard let held else { return }
        let step: AccessSchedule.Step =
            switch cause {
            case .due: held.schedule.step(at: time.now())
            case .demanded: held.schedule.demanded(at: time.now())
            case .triedOnce: held.schedule.isUnknown ? .refresh : .use
            }
        switch step {
        case .use, .refuse: return
        case .store: await storeRenewal(of: held.epoch)
        case .refresh: await offerRefreshToken(of: held)
        }
    }

    /// The mark is on disk before the first byte leaves: a process that dies in between leaves an unknown outcome, not
    /// a token that would be offered twice.
    private func offerRefreshToken(of held: HeldGrant) async {
        if isEnding {
            let problem = Problem(.shuttingDown, "The gateway is shutting down.")
            return change(held.epoch) { $0.schedule.failed(problem, at: self.time.now()) }
        }
        do throws(StoreError) {
            try await store.markRefreshStarted()
            try FaultPoint.refreshMarkerWritten.reached(orThrow: StoreError.injected)
        } catch {
            let problem = error.problem(log)
            return change(held.epoch) { $0.schedule.failed(problem, at: self.time.now()) }
        }
        var request = tokenRequest(
            Wire.refreshBody(
                clientID: held.stored.clientID, refreshToken: held.stored.tokens.refresh,
                secret: configuration.clientSecret))
        request.sentPoint = .refreshSent
        let outcome: RefreshOutcome
        do throws(SendFailure) {
            let answer = try await send(request)
            try FaultPoint.refreshAnswered.reached(orThrow: SendFailure.injected)
            outcome = RefreshOutcome(answer, of: held.stored, now: time.wall())
        } catch {
            outcome = RefreshOutcome(error)
        }
        guard self.held?.epoch == held.epoch else { return }
        await settle(outcome, of: held)
    }

    private func settle(_ outcome: consuming RefreshOutcome, of held: HeldGrant) async {
        switch consume outcome {
        case .rotated(let answer):
            let now = time.now()
            let lifetime = answer.lifetime
            let vaults = answer.vaults
            let renewed = held.stored.renewed(answer.tokens(receivedAt: time.wall()), vaults: vaults)
            unstored = Renewal(grant: renewed, vaults: vaults, validUntil: now + lifetime)
            await storeRenewal(of: held.epoch)
        case .notRotated(let problem, let ours, let retryAfter):
            log(
                LogEvent(
                    ours ? .error : .warning, "a token refresh was not carried out; the grant is kept",
                    [(.code, .code(problem.code))]))
            change(held.epoch) { $0.schedule.failed(problem, at: self.time.now(), retryAfter: retryAfter) }
            do throws(StoreError) {
                // Whether the offer before was carried out is as little known as it was.
                if held.schedule.isUnknown {
                    try await store.markRefreshUnknown()
                } else {
                    try await store.clearRefreshMark()
                }
            } catch {
                _ = error.problem(log)
            }
        case .unknown(let code):
            log(
                LogEvent(
                    .error, "the outcome of a token refresh is not known; the refresh token is not offered again",
                    [(.code, .code(code))]))
            change(held.epoch) { $0.schedule.becameUnknown() }
            do throws(StoreError) { try await store.markRefreshUnknown() } catch { _ = error.problem(log) }
        case .revoked(let code):
            if forget(held.epoch, because: code) { await wipe() }
        }
    }

    /// The new pair is on disk before anything uses it. While that fails it is kept, and tried again.
    private func storeRenewal(of epoch: Int) async {
        guard let renewal = unstored else { return }
        do throws(StoreError) {
            try await store.saveRefreshed(renewal.grant.tokens, vaults: renewal.vaults)
            try FaultPoint.refreshStored.reached(orThrow: StoreError.injected)
        } catch {
            let problem = error.problem(log)
            return change(epoch) { $0.schedule.couldNotStore(problem, at: self.time.now()) }
        }
        unstored = nil
        change(epoch) {
            $0.stored = renewal.grant
            if let vaults = renewal.vaults { $0.vaults = vaults }
            $0.generation += 1
            $0.schedule.renewed(validUntil: renewal.validUntil, at: self.time.now())
        }
    }

    /// Changes the grant of that epoch, if it is still the one in use.
    private func change(_ epoch: Int, _ body: (inout HeldGrant) -> Void) {
        guard var held, held.epoch == epoch else { return }
        body(&held)
        self.held = held
    }

    /// [ours] The token endpoint has longer than other calls: an answer that is lost costs more than a late one.
    func tokenRequest(_ body: [UInt8]) -> OutboundRequest {
        OutboundRequest(
            method: .post, target: Wire.Path.token,
            fields: [HTTPField(Wire.Field.contentType, Wire.json), HTTPField(Wire.Field.accept, Wire.json)],
            body: body, mayRepeat: false, wantsNewConnection: true,
            limits: ExchangeLimits(connect: .seconds(5), firstByte: .seconds(60), total: .seconds(60), body: 1 << 20))
    }
}
