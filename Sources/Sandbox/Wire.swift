import Core
import Strongbox

/// Every byte of MimiKey v3 that the documents leave open, as the sandbox reads it.
///
/// This is a second reading of the protocol, made without looking at the client's: both are held to the same vectors,
/// so that one reading's slip does not pass as the truth.
enum Wire {
    static let timestampField: HTTPFieldName = "x-pm-timestamp"
    static let nonceField: HTTPFieldName = "x-pm-nonce"
    static let signatureField: HTTPFieldName = "x-pm-signature"

    /// Bytes of a request body; one more is 413.
    static let bodyLimit = 400_000
    /// Unfinished requests of one grant, drafts included.
    static let unfinishedRequests = 100
    /// How far a timestamp may be from the server's clock, either way; exactly this far passes.
    static let windowSeconds: Int64 = 300
    static let nonceLengths = 8...128
    static let codeLifetime: Duration = .seconds(600)
    /// Of an access token, where the sandbox is rude.
    static let shortLife: Duration = .seconds(90)
    /// How long a refresh token may lie unused.
    static let refreshLifetime: Duration = .seconds(30 * 86_400)
    /// From its creation to its patch.
    static let draftLifetime: Duration = .seconds(60)
    /// Characters of `patch_enc`.
    static let patchLimit = 65_536
    /// Names in `fields`.
    static let fieldCounts = 1...32
    static let challengeLengths = 43...128
    static let kinds: Set<String> = ["login", "card", "identity", "note", "api_key", "ssh_key"]

    /// What is signed: method, path as sent without its query, timestamp and nonce as sent, and the body's SHA-256 in
    /// lower-case hex, joined by line feeds.
    static func canonicalString(
        method: String, path: String, timestamp: String, nonce: String, body: [UInt8]
    ) -> String {
        [method, path, timestamp, nonce, SHA256.hex(body)].joined(separator: "\n")
    }

    static let resultInfo = Array("mimikey/v3/result".utf8)
    static let patchInfo = Array("mimikey/v3/patch".utf8)
    /// `deny_reason` when the item changed elsewhere.
    static let conflict = "conflict"
    /// `deny_reason` when the device cannot use the patch; the documents have no word for it.
    static let patchRefused = "invalid_patch"

    /// Binds a box to the grant and the request that it answers.
    static func boundTo(grantID: String, requestID: String) -> [UInt8] {
        Array("\(grantID)\n\(requestID)".utf8)
    }

    /// Raw bytes as they stand in JSON, fields and URLs.
    static func text(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes) }

    /// A public key: exactly 32 bytes once decoded.
    static func key(_ text: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        return bytes
    }

    /// A well-formed sealed box: at least an encapsulated key and a tag, once decoded.
    static func box(_ text: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(text), bytes.count >= 48 else { return nil }
        return bytes
    }

    /// Lower-case letters, digits and `_`, a letter first.
    static func isFieldName(_ name: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = name.utf8.first, letters.contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            letters.contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
        }
    }

    static func fingerprint(ofApprovalKey publicKey: [UInt8]) -> String { SHA256.hex(publicKey) }

    static func openURL(requestID: String) -> String { "mimikey://request?request_id=\(requestID)" }
}
