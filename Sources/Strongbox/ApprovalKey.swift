/// An Ed25519 signing key (RFC 8032). The private half stays inside.
package final class ApprovalKey: Sendable {
    /// 32 bytes.
    package let publicKey: [UInt8]
    private let signingKey: LockedMemory

    /// A new one.
    package convenience init() {
        self.init(checkedSeed: Secret(random: Ed25519.seedCount))
    }

    /// From a 32-byte seed; `nil` for another length.
    package convenience init?(seed: borrowing Secret) {
        guard seed.count == Ed25519.seedCount else { return nil }
        self.init(checkedSeed: seed)
    }

    private init(checkedSeed seed: borrowing Secret) {
        let pair = Ed25519.keyPair(seed: seed)
        publicKey = pair.publicKey
        signingKey = pair.takeSigningKey()
    }

    /// 64 bytes.
    package func sign(_ message: [UInt8]) -> [UInt8] { Ed25519.sign(message, with: signingKey) }

    /// `sha256` of the public key in lower-case hex.
    package var fingerprint: Fingerprint { Fingerprint(ofPublicKey: publicKey) }

    /// For the store alone.
    var seed: Secret { signingKey.withBytes { Secret(copying: $0.extracting(first: Ed25519.seedCount)) } }
}
