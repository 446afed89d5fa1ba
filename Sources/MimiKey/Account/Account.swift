package import Core

/// The person's account, as far as the grant shows it.
package struct Account: Hashable, Sendable {
    package let id: String
    /// X25519, 32 bytes: patches are sealed to it.
    package let identityKey: [UInt8]
    package let vaults: [Vault]
}
