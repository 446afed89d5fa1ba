import CSodium

/// Diffie-Hellman on Curve25519 (RFC 7748).
enum X25519 {
    static let keyCount = Int(crypto_scalarmult_BYTES)

    static func publicKey(of privateKey: borrowing Secret) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: keyCount)
        _ = privateKey.memory.withPointer { crypto_scalarmult_base(&point, $0) }
        return point
    }

    /// `nil` for a public key of another length, and for one of low order: its shared secret would be known to all.
    static func sharedSecret(privateKey: borrowing Secret, publicKey: [UInt8]) -> Secret? {
        guard publicKey.count == keyCount, privateKey.count == keyCount else { return nil }
        var shared = LockedMemory(count: keyCount)
        let status = privateKey.memory.withPointer { scalar in
            shared.withMutableBytes { crypto_scalarmult($0.baseAddress!, scalar, publicKey) }
        }
        return status == 0 ? Secret(shared) : nil
    }
}
