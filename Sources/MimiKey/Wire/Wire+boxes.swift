import Core

extension Wire {
    /// How results are sealed: HPKE to the grant's seal key.
    enum ResultBox {
        static let info: [UInt8] = Array("mimikey/v3/result".utf8)  // [A]

        /// [A] Grant and request, so that a result cannot be passed off as another request's.
        static func aad(grantID: String, requestID: String) -> [UInt8] { Array("\(grantID)\n\(requestID)".utf8) }

        /// [A] enc (32) ‖ ciphertext ‖ tag (16), base64url with or without padding. `nil` when it is not well-formed,
        /// or holds more than 256 KiB [ours].
        static func bytes(of text: String) -> [UInt8]? {
            guard let box = Base64URL.decode(text), (48...(256 << 10) + 48).contains(box.count) else { return nil }
            return box
        }
    }

    /// How patches are sealed: HPKE to the account's identity key.
    enum PatchBox {
        static let info: [UInt8] = Array("mimikey/v3/patch".utf8)  // [A]

        /// [D] 64 KiB, [A] of base64url text: so much plaintext, for key and tag take 48 bytes of the box.
        static let longestPlaintext = 65_536 / 4 * 3 - 48

        /// [A] As a result's.
        static func aad(grantID: String, requestID: String) -> [UInt8] { Array("\(grantID)\n\(requestID)".utf8) }

        /// The body of the upload. [D]
        static func body(_ box: [UInt8]) -> [UInt8] {
            JSON.object([.init("patch_enc", .string(Base64URL.encode(box)))]).encoded()
        }
    }

    /// The members of an opened result. [D] `item.id`, `item.revision`, `record.username`, `record.password`; [A] the rest.
    enum Item {
        static let item = "item"
        static let id = "id"
        static let vaultID = "vault_id"
        static let revision = "revision"
        static let kind = "kind"
        static let record = "record"
        static let extra = "extra"
        static let url = "url"
        /// [D] Text where they are present.
        static let standard: Set<String> = ["title", "url", "username", "password", "notes"]
    }
}
