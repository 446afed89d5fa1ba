import CSodium

/// XChaCha20-Poly1305: the cipher of sealed columns. Its nonce is long enough to be drawn at random each time.
enum XChaCha20Poly1305 {
    static let keyCount = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
    private static let nonceCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tagCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

    /// nonce (24 bytes) ‖ ciphertext ‖ tag (16 bytes).
    static func seal(_ secret: borrowing Secret, key: borrowing Secret, aad: [UInt8]) -> [UInt8] {
        precondition(key.count == keyCount, "a master key has 32 bytes")
        let nonce = Randomness.bytes(nonceCount)
        var sealed = [UInt8](repeating: 0, count: secret.count + tagCount)
        _ = secret.memory.withPointer { bytes in
            key.memory.withPointer { key in
                crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &sealed, nil, bytes, UInt64(secret.count), aad, UInt64(aad.count), nil, nonce, key)
            }
        }
        return nonce + sealed
    }

    /// `nil` when it does not open.
    static func open(_ sealed: [UInt8], key: borrowing Secret, aad: [UInt8]) -> Secret? {
        precondition(key.count == keyCount, "a master key has 32 bytes")
        guard sealed.count >= nonceCount + tagCount else { return nil }
        let nonce = Array(sealed.prefix(nonceCount))
        let body = Array(sealed.dropFirst(nonceCount))
        var secret = LockedMemory(count: body.count - tagCount)
        let status = key.memory.withPointer { key in
            secret.withMutableBytes { bytes in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    bytes.baseAddress!, nil, nil, body, UInt64(body.count), aad, UInt64(aad.count), nonce, key)
            }
        }
        return status == 0 ? Secret(secret) : nil
    }
}
