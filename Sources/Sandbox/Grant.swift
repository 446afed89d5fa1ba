import Core

/// What a person gave a client.
struct Grant: Sendable {
    let id: String
    let clientID: String
    /// Where request callbacks go.
    let redirectURI: String
    /// Ed25519, 32 bytes: signs every call.
    let approvalKey: [UInt8]
    /// X25519, 32 bytes: results are sealed to it.
    let sealKey: [UInt8]
    var vaults: [SampleVault]
    /// Who gave it.
    let accountID: String
    var isRevoked = false
    /// Ids of unfinished requests.
    var unfinished: [String] = []

    func vault(_ id: String) -> SampleVault? { vaults.first { $0.id == id } }
}

/// A consent that waits to be exchanged.
struct AuthorizationCode: Sendable {
    let link: AuthorizeLink
    let vaults: [SampleVault]
    let accountID: String
    let issuedAt: UnixTime
    var isSpent = false
}

struct AccessToken: Sendable {
    let grantID: String
    /// Valid before this moment.
    var expiresAt: UnixTime
}

struct RefreshToken: Sendable {
    let grantID: String
    let issuedAt: UnixTime
    /// Exchanged for a new one; presenting it again ends the grant.
    var isRotated = false
}
