/// An X25519 key pair that boxes are sealed to. The private half stays inside.
package final class SealKey: Sendable {
    /// 32 bytes.
    package let publicKey: [UInt8]
    /// For the store and for sealing, alone.
    let privateKey: Secret

    package convenience init() {
        self.init(checkedKey: Secret(random: X25519.keyCount))
    }

    /// From 32 private bytes; `nil` for another length.
    package convenience init?(privateKey: borrowing Secret) {
        guard privateKey.count == X25519.keyCount else { return nil }
        self.init(checkedKey: privateKey.duplicate())
    }

    private init(checkedKey privateKey: consuming Secret) {
        publicKey = X25519.publicKey(of: privateKey)
        self.privateKey = privateKey
    }

    /// Opens enc ‖ ciphertext ‖ tag: HPKE base mode (RFC 9180), single shot. A box that would open to more than
    /// 256 KiB is not opened.
    package func open(_ box: [UInt8], info: [UInt8], aad: [UInt8]) throws(BoxNotOpened) -> SecretBody {
        let overhead = HPKE.encapsulatedCount + ChaCha20Poly1305.tagCount
        guard (overhead...overhead + SecretBody.longest).contains(box.count) else { throw BoxNotOpened() }
        let encapsulated = Array(box.prefix(HPKE.encapsulatedCount))
        guard
            let context = HPKE.context(
                ownPrivateKey: privateKey, otherPublicKey: encapsulated, encapsulated: encapsulated,
                recipientPublicKey: publicKey, info: info),
            let plaintext = ChaCha20Poly1305.open(
                Array(box.dropFirst(HPKE.encapsulatedCount)), key: context.key, nonce: context.nonce, aad: aad)
        else { throw BoxNotOpened() }
        return SecretBody(plaintext)
    }
}
