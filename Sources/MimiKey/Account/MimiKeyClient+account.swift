package import Core
package import Strongbox

extension MimiKeyClient {
    /// `GET /api/oauth/account`, signed through. Throws `identity_key_changed` when the key is not the pinned one.
    package func account() async throws(Problem) -> Account {
        try await account(of: nil)
    }

    /// - Parameter epoch: the grant that it is asked with; `nil`: the one in use.
    func account(of epoch: Int?) async throws(Problem) -> Account {
        let (body, ticket) = try await signedThrough(Wire.Path.account, epoch: epoch)
        let answer = try Wire.AccountAnswer(reading: body)
        // The key of another grant's account is not this one's.
        if let grantID = answer.grantID, grantID != ticket.grant.grantID { throw Wire.malformed }
        try await check(answer.identityKey, under: ticket)
        return Account(
            id: answer.id, identityKey: answer.identityKey, vaults: answer.vaults ?? held?.vaults ?? ticket.grant.vaults
        )
    }

    /// `GET /api/oauth/vaults`, signed through. What comes replaces the vaults that the grant is known to have.
    package func vaults() async throws(Problem) -> [Vault] {
        let (body, ticket) = try await signedThrough(Wire.Path.vaults, epoch: nil)
        let vaults = try Wire.vaults(reading: body)
        guard held?.epoch == ticket.epoch, held?.vaults != vaults else { return vaults }
        held?.vaults = vaults
        // Reading goes on with a full disk, too: the next start knows the older ones, until it asks again.
        do throws(StoreError) { try await store.save(vaults, of: ticket.grant.grantID) } catch {
            _ = error.problem(log)
        }
        return vaults
    }

    // MARK: The identity key

    /// The fingerprints of the pinned key and of another one that MimiKey showed since.
    package func identityKeyStatus() -> (pinned: Fingerprint?, offered: Fingerprint?) {
        (
            held?.identity.pinned.map { Fingerprint(ofPublicKey: $0) },
            held?.identity.offered.map { Fingerprint(ofPublicKey: $0) }
        )
    }

    /// The operator's word: from now on the key counts that MimiKey showed and that has this fingerprint (64 hex digits).
    /// Throws `nothing_pending` when it showed no such key.
    package func acceptIdentityKey(_ fingerprint: String) async throws(Problem) {
        guard let held, let key = held.identity.offered,
            Fingerprint(ofPublicKey: key).sha256 == fingerprint.lowercased()
        else { throw Problem(.nothingPending, "MimiKey showed no other identity key with this fingerprint.") }
        do throws(StoreError) {
            try await store.replaceIdentityKey(with: key, of: held.stored.grantID)
        } catch {
            throw error.problem(log)
        }
        guard self.held?.epoch == held.epoch else { throw Self.grantReplaced }
        self.held?.identity.pin(key)
        log(LogEvent(.warning, "the operator accepted another identity key of the account"))
    }

    /// Durable before anything is sealed to it.
    private func check(_ key: [UInt8], under ticket: AccessTicket) async throws(Problem) {
        guard held?.epoch == ticket.epoch, let verdict = held?.identity.see(key) else { throw Self.grantReplaced }
        switch verdict {
        case .same: return
        case .other: throw identityKeyChanged()
        case .first:
            let pinned: [UInt8]
            do throws(StoreError) {
                pinned = try await store.pinIdentityKey(key, of: ticket.grant.grantID)
            } catch {
                throw error.problem(log)
            }
            guard held?.epoch == ticket.epoch else { throw Self.grantReplaced }
            held?.identity.pin(pinned)
            // Two answers came at once, each with another key: the first one that was written down counts.
            if held?.identity.see(key) == .other { throw identityKeyChanged() }
        }
    }

    private func identityKeyChanged() -> Problem {
        log(LogEvent(.error, "MimiKey shows another identity key of the account; nothing is sealed to it"))
        return Problem(
            .identityKeyChanged,
            "MimiKey shows another identity key of the account than before; the operator has to compare and accept it.")
    }

    // MARK: The call

    private func signedThrough(
        _ path: String, epoch: Int?
    ) async throws(Problem) -> (body: [UInt8], ticket: AccessTicket) {
        let look = SignedCall(method: .get, path: path, mayRepeat: true, epoch: epoch)
        var retries = Retries()
        while true {
            do throws(CallFailure) {
                let (response, ticket) = try await answer(to: look)
                return (response.body, ticket)
            } catch {
                guard let pause = retries.pause(after: error) else { throw error.problem }
                try await rest(pause)
            }
        }
    }
}
