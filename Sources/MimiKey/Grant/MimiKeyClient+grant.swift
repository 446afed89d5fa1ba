import Core
import Strongbox

extension MimiKeyClient {
    package func grantStatus() -> GrantStatus {
        guard let held else {
            return GrantStatus(
                state: isRevoked ? .revoked : .none, unknownCause: nil, grantID: nil, fingerprint: nil, vaults: [],
                accessExpiresAt: nil)
        }
        return GrantStatus(
            state: held.schedule.isUnknown ? .refreshUnknown : .active, unknownCause: held.schedule.unknownCause,
            grantID: held.stored.grantID, fingerprint: held.stored.approvalKey.fingerprint, vaults: held.vaults,
            accessExpiresAt: held.stored.tokens.accessExpiresAt)
    }

    /// Takes a stored grant into use.
    func hold(_ grant: StoredGrant, unknown: UnknownCause? = nil) {
        // The wall clock may have been set since: a token is never trusted for longer than a lifetime can be.
        let remaining = min(grant.tokens.accessExpiresAt - time.wall(), .seconds(Wire.longestLifetime))
        take(grant, schedule: AccessSchedule(validUntil: time.now() + remaining, unknown: unknown))
    }

    /// A grant that has just come into being, or from the store.
    func take(_ grant: StoredGrant, schedule: AccessSchedule) {
        let epoch = lastEpoch + 1
        lastEpoch = epoch
        held = HeldGrant(
            stored: grant, schedule: schedule, vaults: grant.vaults, identity: IdentityKeys(pinned: grant.identityKey),
            epoch: epoch, generation: 0)
        isRevoked = false
        unstored = nil
    }

    func currentGrant() throws(Problem) -> HeldGrant {
        if let held { return held }
        throw isRevoked ? Self.revoked : Problem(.notAuthorized, "There is no grant; run `countersign authorize`.")
    }

    static let revoked = Problem(
        .revoked,
        "MimiKey does not accept the grant any more; its keys and tokens are wiped. Run `countersign authorize`.")

    /// The grant of that epoch is gone: forget it at once, then on disk.
    func lose(_ epoch: Int, because code: ErrorCode) async {
        guard forget(epoch, because: code) else { return }
        await exclusively { await $0.wipe() }
    }

    /// In memory. Returns `false` when it was forgotten, or replaced, before.
    func forget(_ epoch: Int, because code: ErrorCode) -> Bool {
        guard held?.epoch == epoch else { return false }
        held = nil
        unstored = nil
        isRevoked = true
        newGrantChanges.yield(.revoked)
        log(
            LogEvent(
                .error, "MimiKey revoked the grant: it is wiped, and somebody has to authorize again",
                [(.code, .code(code))]))
        return true
    }

    /// On disk, unless a new grant was stored meanwhile.
    func wipe() async {
        guard held == nil else { return }
        do throws(StoreError) { try await store.wipeGrant(revoked: isRevoked) } catch { _ = error.problem(log) }
    }
}
