package import Core

/// The access and refresh token of a grant.
package struct Tokens: ~Copyable, Sendable {
    package let access: Secret
    package let refresh: Secret
    package let accessExpiresAt: UnixTime

    package init(access: consuming Secret, refresh: consuming Secret, accessExpiresAt: UnixTime) {
        self.access = access
        self.refresh = refresh
        self.accessExpiresAt = accessExpiresAt
    }
}

/// How far a refresh has got.
package enum RefreshState: String, Hashable, Sendable {
    case idle
    /// The marker is written: the token may have gone out. Found after a crash, it is `refresh_unknown`.
    case started
    /// The outcome of a refresh is not known: the refresh token is not offered again by itself.
    case unknown
}

/// A grant as it is kept: keys, tokens, vaults.
package final class StoredGrant: Sendable {
    package let grantID: String
    package let clientID: String
    package let origin: String
    package let approvalKey: ApprovalKey
    package let sealKey: SealKey
    package let tokens: Tokens
    package let vaults: [Vault]
    package let refreshState: RefreshState
    /// The account's, once it was seen: 32 bytes.
    package let identityKey: [UInt8]?

    package init(
        grantID: String, clientID: String, origin: String, approvalKey: ApprovalKey, sealKey: SealKey,
        tokens: consuming Tokens, vaults: [Vault], refreshState: RefreshState = .idle,
        identityKey: [UInt8]? = nil
    ) {
        self.grantID = grantID
        self.clientID = clientID
        self.origin = origin
        self.approvalKey = approvalKey
        self.sealKey = sealKey
        self.tokens = tokens
        self.vaults = vaults
        self.refreshState = refreshState
        self.identityKey = identityKey
    }
}
