package import Core

extension MimiKeyClient {
    /// `GET /api/oauth/account`, signed through. Throws `identity_key_changed` when the key is not the pinned one.
    package func account() async throws(Problem) -> Account {
        throw Problem(.internalError, "This version does not ask for the account.")
    }

    /// `GET /api/oauth/vaults`, signed through. What comes replaces the vaults that the grant is known to have.
    package func vaults() async throws(Problem) -> [Vault] {
        throw Problem(.internalError, "This version does not ask for the vaults.")
    }
}
