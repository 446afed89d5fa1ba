import CSodium

/// ChaCha20-Poly1305 (RFC 8439): the cipher of sealed boxes.
enum ChaCha20Poly1305 {
    static let keyCount = Int(crypto_aead_chacha20poly1305_ietf_KEYBYTES)
    static let nonceCount = Int(crypto_aead_chacha20poly1305_ietf_NPUBBYTES)
    static let tagCount = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)

    /// ciphertext ‖ tag; `nil` for a key or nonce of the wrong length.
    static func seal(
        _ plaintext: RawSpan, key: borrowing Secret, nonce: borrowing Secret, aad: [UInt8]
    ) -> [UInt8]? {
        guard key.count == keyCount, nonce.count == nonceCount else { return nil }
        var sealed = [UInt8](repeating: 0, count: plaintext.byteCount + tagCount)
        let status = plaintext.withUnsafeBytes { plaintext in
            key.memory.withPointer { key in
                nonce.memory.withPointer { nonce in
                    crypto_aead_chacha20poly1305_ietf_encrypt(
                        &sealed, nil, plaintext.bindMemory(to: UInt8.self).baseAddress, UInt64(plaintext.count), aad,
                        UInt64(aad.count), nil, nonce, key)
                }
            }
        }
        return status == 0 ? sealed : nil
    }

    /// `nil` when it does not open.
    static func open(
        _ sealed: [UInt8], key: borrowing Secret, nonce: borrowing Secret, aad: [UInt8]
    ) -> Secret? {
        guard key.count == keyCount, nonce.count == nonceCount, sealed.count >= tagCount else { return nil }
        var plaintext = LockedMemory(count: sealed.count - tagCount)
        let status = key.memory.withPointer { key in
            nonce.memory.withPointer { nonce in
                plaintext.withMutableBytes { plaintext in
                    crypto_aead_chacha20poly1305_ietf_decrypt(
                        plaintext.baseAddress!, nil, nil, sealed, UInt64(sealed.count), aad, UInt64(aad.count), nonce,
                        key)
                }
            }
        }
        return status == 0 ? Secret(plaintext) : nil
    }
}
