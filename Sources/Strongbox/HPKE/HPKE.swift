/// HPKE (RFC 9180), base mode, for one message: DHKEM(X25519, HKDF-SHA256) `0x0020`, HKDF-SHA256 `0x0001`,
/// ChaCha20-Poly1305 `0x0003`.
enum HPKE {
    /// Bytes of `enc`, the ephemeral public key.
    static let encapsulatedCount = X25519.keyCount

    private static let kem = LabeledHKDF(suite: Array("KEM".utf8) + [0x00, 0x20])
    private static let suite = LabeledHKDF(suite: Array("HPKE".utf8) + [0x00, 0x20, 0x00, 0x01, 0x00, 0x03])

    /// The key and nonce of the one message.
    struct Context: ~Copyable {
        let key: Secret
        let nonce: Secret
    }

    /// Encap and Decap share this: `nil` when the other side's point is of low order or of a wrong length (section 7.1.4).
    static func context(
        ownPrivateKey: borrowing Secret, otherPublicKey: [UInt8], encapsulated: [UInt8], recipientPublicKey: [UInt8],
        info: [UInt8]
    ) -> Context? {
        guard let exchanged = X25519.sharedSecret(privateKey: ownPrivateKey, publicKey: otherPublicKey) else {
            return nil
        }
        let none = LabeledHKDF.nothing
        let extracted = exchanged.withBytes { kem.extract(salt: none.span.bytes, label: "eae_prk", input: $0) }
        let shared = kem.expand(
            extracted, label: "shared_secret", info: encapsulated + recipientPublicKey, count: 32)
        return schedule(sharedSecret: shared, info: info)
    }

    /// Section 5.1 with mode 0: no pre-shared key, and sequence number 0, whose nonce is the base nonce.
    private static func schedule(sharedSecret: borrowing Secret, info: [UInt8]) -> Context {
        let none = LabeledHKDF.nothing
        let pskIDHash = suite.extract(salt: none.span.bytes, label: "psk_id_hash", input: none.span.bytes)
        let infoHash = suite.extract(salt: none.span.bytes, label: "info_hash", input: info.span.bytes)
        let context = [0] + pskIDHash.exposed() + infoHash.exposed()
        let secret = sharedSecret.withBytes { suite.extract(salt: $0, label: "secret", input: none.span.bytes) }
        return Context(
            key: suite.expand(secret, label: "key", info: context, count: ChaCha20Poly1305.keyCount),
            nonce: suite.expand(secret, label: "base_nonce", info: context, count: ChaCha20Poly1305.nonceCount))
    }
}
