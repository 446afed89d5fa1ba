/// Why a box was not opened. One reason only, so that nothing can be learnt from it.
package struct BoxNotOpened: Error, Hashable, Sendable {}

/// HPKE (RFC 9180), base mode, single shot: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305.
package enum SealedBox {
    /// The recipient key is no 32-byte point, or one of low order.
    package struct BadRecipient: Error, Hashable, Sendable {}

    /// enc (32 bytes) ‖ ciphertext ‖ tag (16 bytes).
    package static func seal(
        _ plaintext: [UInt8], to publicKey: [UInt8], info: [UInt8], aad: [UInt8]
    ) throws(BadRecipient) -> [UInt8] {
        try seal(plaintext.span.bytes, to: publicKey, info: info, aad: aad, ephemeral: SealKey())
    }

    /// From locked memory: no copy of the plaintext is made.
    package static func seal(
        _ plaintext: SecretBody, to publicKey: [UInt8], info: [UInt8], aad: [UInt8]
    ) throws(BadRecipient) -> [UInt8] {
        let sealed: Result<[UInt8], BadRecipient> = plaintext.withBytes { bytes in
            Result { () throws(BadRecipient) in
                try seal(bytes, to: publicKey, info: info, aad: aad, ephemeral: SealKey())
            }
        }
        return try sealed.get()
    }

    /// Can something be sealed to this key, so that only its owner opens it?
    package static func isRecipient(_ publicKey: [UInt8]) -> Bool {
        X25519.sharedSecret(privateKey: SealKey().privateKey, publicKey: publicKey) != nil
    }

    /// With a given ephemeral key, so that a published vector can be made again. Never use one twice.
    static func seal(
        _ plaintext: RawSpan, to publicKey: [UInt8], info: [UInt8], aad: [UInt8], ephemeral: SealKey
    ) throws(BadRecipient) -> [UInt8] {
        guard
            let context = HPKE.context(
                ownPrivateKey: ephemeral.privateKey, otherPublicKey: publicKey, encapsulated: ephemeral.publicKey,
                recipientPublicKey: publicKey, info: info),
            let sealed = ChaCha20Poly1305.seal(plaintext, key: context.key, nonce: context.nonce, aad: aad)
        else { throw BadRecipient() }
        return ephemeral.publicKey + sealed
    }
}
