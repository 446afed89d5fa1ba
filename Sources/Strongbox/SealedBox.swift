/// Why a box was not opened. One reason only, so that nothing can be learnt from it.
package struct BoxNotOpened: Error, Hashable, Sendable {}

/// An X25519 key pair that boxes are sealed to. The private half stays inside.
package final class SealKey: Sendable {
    package init() { fatalError() }
    /// From 32 private bytes; `nil` for another length.
    package init?(privateKey: borrowing Secret) { fatalError() }

    package var publicKey: [UInt8] { fatalError() }
    /// Opens enc ‖ ciphertext ‖ tag: HPKE base mode (RFC 9180), single shot.
    package func open(_ box: [UInt8], info: [UInt8], aad: [UInt8]) throws(BoxNotOpened) -> SecretBody { fatalError() }
}

/// HPKE (RFC 9180), base mode, single shot: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305.
package enum SealedBox {
    /// The recipient key is no 32-byte point, or one of low order.
    package struct BadRecipient: Error, Hashable, Sendable {}

    /// enc (32 bytes) ‖ ciphertext ‖ tag (16 bytes).
    package static func seal(
        _ plaintext: [UInt8], to publicKey: [UInt8], info: [UInt8], aad: [UInt8]
    ) throws(BadRecipient) -> [UInt8] { fatalError() }
}
