/// An Ed25519 signing key (RFC 8032). The private half stays inside.
package final class ApprovalKey: Sendable {
    /// A new one.
    package init() { fatalError() }
    /// From a 32-byte seed; `nil` for another length.
    package init?(seed: borrowing Secret) { fatalError() }

    /// 32 bytes.
    package var publicKey: [UInt8] { fatalError() }
    /// 64 bytes.
    package func sign(_ message: [UInt8]) -> [UInt8] { fatalError() }
    /// `sha256` of the public key in lower-case hex.
    package var fingerprint: Fingerprint { fatalError() }
}

package enum Ed25519 {
    /// `false` for wrong lengths, non-canonical S and small-order keys as well.
    package static func verify(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool { fatalError() }
}

/// The fingerprint of an approval key (protocol §1).
package struct Fingerprint: Hashable, Sendable {
    /// 64 lower-case hex digits.
    package let sha256: String
    package init(ofPublicKey publicKey: [UInt8]) { fatalError() }
    /// The first 16 bytes in eight groups of four digits.
    package var display: String { fatalError() }
}
