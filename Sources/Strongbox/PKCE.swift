import Core

/// A PKCE pair (RFC 7636), method S256.
package enum PKCE {
    /// 43 characters of base64url: 32 random bytes.
    package static func makeVerifier() -> Secret { SecretBase64.encode(Secret(random: 32)) }

    /// The challenge; `nil` unless the verifier is 43 to 128 of `A-Z a-z 0-9 - . _ ~`.
    package static func challenge(for verifier: [UInt8]) -> String? {
        guard (43...128).contains(verifier.count), verifier.allSatisfy(\.isUnreserved) else { return nil }
        return Base64URL.encode(SHA256.digest(verifier))
    }
}

extension UInt8 {
    /// "unreserved" of RFC 3986, which is the alphabet of a verifier.
    fileprivate var isUnreserved: Bool {
        isBase64URLCharacter || self == UInt8(ascii: ".") || self == UInt8(ascii: "~")
    }
}
