/// The fingerprint of an approval key (protocol §1).
package struct Fingerprint: Hashable, Sendable {
    /// 64 lower-case hex digits.
    package let sha256: String

    package init(ofPublicKey publicKey: [UInt8]) { sha256 = SHA256.hex(publicKey) }

    /// The first 16 bytes in eight groups of four digits, as people compare them.
    package var display: String {
        let digits = Array(sha256.utf8.prefix(32))
        let groups = stride(from: 0, to: digits.count, by: 4).map {
            String(decoding: digits[$0..<$0 + 4], as: UTF8.self)
        }
        return groups.joined(separator: "-")
    }
}
