import CSodium

/// Signatures (RFC 8032).
package enum Ed25519 {
    static let seedCount = Int(crypto_sign_SEEDBYTES)
    static let publicKeyCount = Int(crypto_sign_PUBLICKEYBYTES)
    static let signatureCount = Int(crypto_sign_BYTES)

    /// `false` for wrong lengths, non-canonical S and small-order keys as well.
    package static func verify(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureCount, publicKey.count == publicKeyCount else { return false }
        Sodium.prepare()
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    struct KeyPair: ~Copyable {
        let publicKey: [UInt8]
        /// The 64 bytes that libsodium signs with: seed ‖ public key.
        let signingKey: LockedMemory

        consuming func takeSigningKey() -> LockedMemory { signingKey }
    }

    /// The seed has 32 bytes.
    static func keyPair(seed: borrowing Secret) -> KeyPair {
        precondition(seed.count == seedCount, "an Ed25519 seed has 32 bytes")
        var publicKey = [UInt8](repeating: 0, count: publicKeyCount)
        var signingKey = LockedMemory(count: Int(crypto_sign_SECRETKEYBYTES))
        _ = seed.memory.withPointer { seed in
            signingKey.withMutableBytes { crypto_sign_seed_keypair(&publicKey, $0.baseAddress!, seed) }
        }
        return KeyPair(publicKey: publicKey, signingKey: signingKey)
    }

    static func sign(_ message: [UInt8], with signingKey: borrowing LockedMemory) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: signatureCount)
        _ = signingKey.withPointer {
            crypto_sign_detached(&signature, nil, message, UInt64(message.count), $0)
        }
        return signature
    }
}
