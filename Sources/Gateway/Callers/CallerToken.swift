import Core
import Strongbox

/// A caller's token: `cs_` and 43 characters of base64url, which are 256 random bits.
package enum CallerToken {
    /// A new token, and what the configuration holds of it: `sha256:` and 64 hex digits.
    package static func make() -> (token: String, hash: String) {
        let token = "cs_" + Base64URL.encode(Randomness.bytes(32))
        return (token, "sha256:" + SHA256.hex(Array(token.utf8)))
    }
}
