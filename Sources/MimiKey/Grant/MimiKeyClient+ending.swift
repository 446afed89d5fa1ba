package import Core

extension MimiKeyClient {
    /// Takes a card back that belongs to the grant that was replaced last, with its keys.
    package func cancelRequest(_ id: String, ofReplacedGrant grantID: String) async throws(Problem) {
        throw Problem(.notAuthorized, "The keys of that grant are not kept.")
    }

    /// Nothing is left to be taken back: the keys of the replaced grant go.
    package func forgetReplacedGrant() {}

    /// `POST /api/oauth/revoke`, then the local wipe. Throws `revoke_unconfirmed`, and keeps the keys, when MimiKey does not
    /// say that the grant is gone; with `force` they are wiped all the same. Throws `not_authorized` without a grant.
    package func revoke(force: Bool) async throws(Problem) {
        throw Problem(.internalError, "This version does not revoke.")
    }

    /// Wipes the grant here without telling MimiKey. Without one nothing happens.
    package func reset() async throws(Problem) {
        throw Problem(.internalError, "This version does not reset.")
    }

    /// Refreshes the access token now. In `refresh_unknown` only with `tryOnce`: the refresh token, whose fate is not known,
    /// goes out once more, which may cost the grant.
    package func refreshNow(tryOnce: Bool) async throws(Problem) -> GrantStatus {
        throw Problem(.internalError, "This version does not refresh on demand.")
    }
}
