package import Core

extension MimiKeyClient {
    /// Refreshes the access token now. In `refresh_unknown` only with `tryOnce`: the refresh token, whose fate is not known,
    /// goes out once more, which may cost the grant.
    ///
    /// Throws `refresh_unknown` when the answer was lost (again), and what else kept the tokens from being renewed. After an
    /// unknown outcome a refusal says nothing of the offer before: it stays unknown.
    package func refreshNow(tryOnce: Bool) async throws(Problem) -> GrantStatus {
        if revocations > 0 { throw Self.beingRevoked }
        let before = try currentGrant()
        if before.schedule.isUnknown, tryOnce {
            log(
                LogEvent(
                    .warning, "a refresh token whose fate is not known is offered once more, as the operator wants"))
            await refresh(because: .triedOnce)
        } else {
            // One that is under way is as good.
            if refreshing == nil, case .refuse(let problem) = before.schedule.demanded(at: time.now()) { throw problem }
            await refresh(because: .demanded)
        }
        let after = try currentGrant()
        guard after.epoch != before.epoch || after.generation > before.generation else {
            throw after.schedule.trouble ?? Problem(.internalError, "The refresh came to nothing.")
        }
        return grantStatus()
    }
}
