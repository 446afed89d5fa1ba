/// A PKCE pair (RFC 7636), method S256.
package enum PKCE {
    /// 43 characters of base64url: 32 random bytes.
    package static func makeVerifier() -> Secret { fatalError() }
    /// The challenge; `nil` unless the verifier is 43 to 128 of `A-Z a-z 0-9 - . _ ~`.
    package static func challenge(for verifier: [UInt8]) -> String? { fatalError() }
}
