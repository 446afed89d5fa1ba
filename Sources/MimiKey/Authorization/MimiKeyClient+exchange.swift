import Core
import Strongbox

extension MimiKeyClient {
    /// Spends the code and stores the grant that comes of it.
    ///
    /// The code goes out again only when the first request certainly did not spend it.
    func exchange(_ code: String, of id: String, _ secrets: AuthorizationSecrets) async {
        let request = tokenRequest(
            Wire.exchangeBody(
                clientID: configuration.clientID, code: code, redirectURI: configuration.redirectURI,
                verifier: secrets.verifier, secret: configuration.clientSecret))
        var retries = 0
        while isExchanging(id) {
            let failure: ExchangeFailure
            do throws(SendFailure) {
                let response = try await send(request)
                if response.status.isSuccess { return await adopt(response.body, of: id, secrets) }
                failure = ExchangeFailure(Refusal(response, now: time.wall()))
            } catch {
                failure = ExchangeFailure(error)
            }
            guard failure.unspent, retries < 3 else { return fail(id, failure.code) }
            do { try await time.sleep(time.now() + .seconds(1 << retries)) } catch { return fail(id, failure.code) }
            retries += 1
        }
    }

    /// Only if it was not cancelled meanwhile.
    private func fail(_ id: String, _ code: ErrorCode) {
        if isExchanging(id) { finish(id, .failed, code) }
    }

    private func isExchanging(_ id: String) -> Bool {
        guard let index = index(of: id), case .exchanging = flows[index].phase else { return false }
        return true
    }

    private func adopt(_ body: [UInt8], of id: String, _ secrets: AuthorizationSecrets) async {
        let grant: StoredGrant
        let validUntil: Instant
        do throws(Problem) {
            let answer = try TokenAnswer(reading: body)
            guard let grantID = answer.grantID, let fingerprint = answer.fingerprint, let vaults = answer.vaults else {
                throw Wire.malformed
            }
            guard fingerprint == secrets.approvalKey.fingerprint.sha256 else {
                log(LogEvent(.error, "MimiKey bound the grant to another approval key than ours; nothing is stored"))
                throw Problem(.fingerprintMismatch, "MimiKey bound the grant to another approval key than ours.")
            }
            validUntil = time.now() + answer.lifetime
            grant = StoredGrant(
                grantID: grantID, clientID: configuration.clientID, origin: configuration.origin.description,
                approvalKey: secrets.approvalKey, sealKey: secrets.sealKey,
                tokens: answer.tokens(receivedAt: time.wall()), vaults: vaults)
        } catch {
            return fail(id, error.code)
        }
        await exclusively { await $0.replaceGrant(with: grant, validUntil: validUntil, of: id) }
    }

    private func replaceGrant(with grant: StoredGrant, validUntil: Instant, of id: String) async {
        guard isExchanging(id), let index = index(of: id) else { return }
        flows[index].phase = .storing
        do throws(StoreError) {
            try await store.save(grant)
        } catch {
            return finish(id, .failed, error.problem(log).code)
        }
        let old = held?.stored
        take(grant, schedule: AccessSchedule(validUntil: validUntil))
        if let old { keep(replaced: old) }
        finish(id, .completed)
    }
}

/// Why an exchange gave no tokens.
private struct ExchangeFailure {
    let code: ErrorCode
    /// The server certainly did not see the code, or says that it did nothing.
    let unspent: Bool

    init(_ failure: SendFailure) {
        code = failure.bytesMayHaveLeft ? .outcomeUnknown : failure.problem.code
        unspent = !failure.bytesMayHaveLeft && failure.reason != .cancelled
    }

    init(_ refusal: Refusal) {
        unspent = refusal.code == Wire.Code.databaseError
        code = refusal.code == nil && refusal.status.code >= 500 ? .outcomeUnknown : refusal.problem.code
    }
}
