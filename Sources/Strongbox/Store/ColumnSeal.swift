import Core

/// Seals secret columns under the master key. A sealed value opens only in the place that it was sealed for: a value
/// that was swapped with another, or put back from an earlier time, does not.
struct ColumnSeal: ~Copyable, Sendable {
    /// Where a value stands.
    struct Place {
        let table: StaticString
        let row: Int64
        let column: StaticString
        /// Counts the writes.
        let generation: Int64

        /// No name has a line feed in it, so that no two places read alike.
        fileprivate var bytes: [UInt8] {
            Array("countersign/1\n\(table)\n\(row)\n\(column)\n\(generation)".utf8)
        }
    }

    private let masterKey: Secret

    init(masterKey: consuming Secret) { self.masterKey = masterKey }

    func seal(_ secret: borrowing Secret, at place: Place) -> [UInt8] {
        XChaCha20Poly1305.seal(secret, key: masterKey, aad: place.bytes)
    }

    /// `nil` when it was sealed for another place, under another key, or was changed.
    func open(_ sealed: [UInt8], at place: Place) -> Secret? {
        XChaCha20Poly1305.open(sealed, key: masterKey, aad: place.bytes)
    }

    /// What shows, without a secret of its own, which key a store belongs to.
    func proof() -> [UInt8] { seal(Secret(copying: []), at: Self.proofPlace) }

    func accepts(proof: [UInt8]) -> Bool { open(proof, at: Self.proofPlace) != nil }

    /// Under a key derived from the master key, so that what is on the disk cannot be found out by trying values.
    func fingerprint(of body: SecretBody) -> String {
        var derivation = masterKey.withBytes { HMACSHA256(key: $0) }
        derivation.update(Array("countersign/1\nfingerprint".utf8))
        let key = derivation.finish()
        var code = key.withBytes { HMACSHA256(key: $0) }
        body.withBytes { code.update($0) }
        return Hex.encode(code.finish().exposed())
    }

    private static let proofPlace = Place(table: "store", row: 1, column: "key_proof", generation: 0)
}
