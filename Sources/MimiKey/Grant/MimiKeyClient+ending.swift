package import Core
import Strongbox

extension MimiKeyClient {
    /// `POST /api/oauth/revoke`, then the local wipe. Throws `revoke_unconfirmed`, and keeps the keys, when MimiKey does not
    /// say that the grant is gone; with `force` they are wiped all the same. Throws `not_authorized` without a grant.
    ///
    /// A refresh that is under way is waited for; calls are refused until this is over. It goes on when the caller leaves.
    package func revoke(force: Bool) async throws(Problem) {
        guard let epoch = held?.epoch else { throw Problem(.notAuthorized, "There is no grant to revoke.") }
        revocations += 1
        let problem = await exclusively { client in
            defer { client.revocations -= 1 }
            return await client.end(epoch, force: force)
        }
        if let problem { throw problem }
    }

    /// What calls are told meanwhile. Waits go on: the revocation may not be confirmed.
    static let beingRevoked = Problem(
        .notAuthorized, "The operator is revoking the grant.", retryable: true, nextAction: .retry,
        retryAfter: .seconds(1))

    /// Gives what kept the grant from ending.
    private func end(_ epoch: Int, force: Bool) async -> Problem? {
        if let held {
            guard held.epoch == epoch else {
                return Problem(.grantReplaced, "A new grant was stored meanwhile; nothing is revoked.")
            }
            if let problem = await revocationProblem(of: held) {
                guard force else { return problem }
                log(LogEvent(.warning, "MimiKey did not confirm the revocation; the grant is wiped here all the same"))
            }
        }
        // Otherwise the refresh that was waited for has found it gone.
        if self.held?.epoch == epoch {
            self.held = nil
            unstored = nil
            newGrantChanges.yield(.revoked)
        }
        isRevoked = false
        log(LogEvent(.info, "the operator revoked the grant, and it is wiped"))
        do throws(StoreError) { try await store.wipeGrant(revoked: false) } catch {
            var problem = error.problem(log)
            problem.detail = "The grant is revoked, but could not be wiped from the store; run `countersign reset`."
            return problem
        }
        return nil
    }

    /// `nil`: MimiKey says that the grant is gone.
    private func revocationProblem(of held: HeldGrant) async -> Problem? {
        let grant = held.stored
        // [A] Only a live token revokes. After an unknown outcome the refresh token may be none, and tokens that could not be
        // written down are newer than those in use.
        let body: [UInt8]
        let secret = configuration.clientSecret
        if let unstored {
            body = Wire.revocationBody(
                clientID: grant.clientID, token: unstored.grant.tokens.refresh, secret: secret)
        } else if held.schedule.isUnknown, held.schedule.isAlive(at: time.now()) {
            body = Wire.revocationBody(clientID: grant.clientID, token: grant.tokens.access, secret: secret)
        } else {
            body = Wire.revocationBody(clientID: grant.clientID, token: grant.tokens.refresh, secret: secret)
        }
        let call = SignedCall(method: .post, path: Wire.Path.revoke, body: body, mayRepeat: true)
        let failure: Problem
        do throws(CallFailure) {
            let response = try await callApart { client in
                var fields: HTTPFields = [
                    HTTPField(Wire.Field.contentType, Wire.json), HTTPField(Wire.Field.accept, Wire.json),
                ]
                // [D] A confidential client proves itself by its secret instead; [A] no bearer is needed.
                if secret == nil { client.sign(call, with: grant.approvalKey, into: &fields) }
                return OutboundRequest(
                    method: call.method, target: call.path, fields: fields, body: call.body, mayRepeat: call.mayRepeat)
            }
            if Wire.saysOK(response.body) { return nil }
            failure = Wire.malformed
        } catch {
            if case .refused(let refusal) = error, let code = refusal.code, Wire.Code.gone.contains(code) { return nil }
            failure = error.problem
        }
        return Problem(
            .revokeUnconfirmed,
            "MimiKey did not confirm the revocation (\(failure.title.lowercased())), so the keys are kept; try again, or use force.",
            retryAfter: failure.retryAfter)
    }

    /// Wipes the grant here without telling MimiKey. Without one nothing happens.
    package func reset() async throws(Problem) {
        let problem = await exclusively { await $0.wipeWithoutTelling() }
        if let problem { throw problem }
    }

    private func wipeWithoutTelling() async -> Problem? {
        // One that belongs to another origin or client is in the store alone, and goes as well.
        do throws(StoreError) { try await store.wipeGrant(revoked: false) } catch { return error.problem(log) }
        isRevoked = false
        replaced = nil
        guard held != nil else { return nil }
        held = nil
        unstored = nil
        newGrantChanges.yield(.reset)
        log(LogEvent(.info, "the operator wiped the grant without telling MimiKey"))
        return nil
    }
}
