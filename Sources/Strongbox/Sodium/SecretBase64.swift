import CSodium

/// base64url without padding from locked memory to locked memory, without look-up tables.
enum SecretBase64 {
    static func encode(_ secret: borrowing Secret) -> Secret {
        let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        let length = sodium_base64_encoded_len(secret.count, variant)
        var text = LockedMemory(count: length)
        secret.memory.withPointer { bytes in
            text.withMutableBytes { buffer in
                buffer.withMemoryRebound(to: CChar.self) { characters in
                    _ = sodium_bin2base64(characters.baseAddress!, length, bytes, secret.count, variant)
                }
            }
        }
        // The last byte is C's terminator.
        return text.withBytes { Secret(copying: $0.extracting(first: length - 1)) }
    }
}
