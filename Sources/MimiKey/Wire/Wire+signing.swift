import Core
import Strongbox

extension Wire {
    /// The fields of a signed call.
    enum Field {
        static let authorization: HTTPFieldName = "authorization"  // [D]
        static let timestamp: HTTPFieldName = "x-pm-timestamp"  // [D]
        static let nonce: HTTPFieldName = "x-pm-nonce"  // [D]
        static let signature: HTTPFieldName = "x-pm-signature"  // [D]
        static let contentType: HTTPFieldName = "content-type"
        static let accept: HTTPFieldName = "accept"
        static let date: HTTPFieldName = "date"
        static let retryAfter: HTTPFieldName = "retry-after"
    }

    static let json = "application/json"  // [D]

    /// What is signed: method, path, timestamp, nonce and the SHA-256 of the body, each on a line of its own.
    /// [A] the order, the line feeds, none at the end; [D] the path without its query, and the body's exact bytes.
    static func canonicalString(
        method: HTTPMethod, target: String, body: [UInt8], timestamp: Int64, nonce: String
    ) -> String {
        let path = target.prefix { $0 != "?" }
        return "\(method.name)\n\(path)\n\(timestamp)\n\(nonce)\n\(SHA256.hex(body))"
    }

    /// [D] integer, [A] Unix seconds.
    static func timestamp(_ time: UnixTime) -> Int64 { time.seconds }

    /// [D] 8 to 128 characters, never used twice; [ours] base64url of 16 bytes from the kernel.
    static func makeNonce() -> String { Base64URL.encode(Randomness.bytes(16)) }

    /// [D] Ed25519 with the approval key; [A] base64url.
    static func signature(of canonical: String, with key: ApprovalKey) -> String {
        Base64URL.encode(key.sign(Array(canonical.utf8)))
    }

    /// [D] `Bearer` and the access token.
    static func bearer(_ token: borrowing Secret) -> HTTPField {
        HTTPField(Field.authorization, bytes: Array("Bearer ".utf8) + token.exposed())
    }
}
