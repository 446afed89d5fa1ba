/// Our id of an ask: `ask_` and 22 characters of base64url (128 random bits). Stable from before MimiKey knows of it.
package struct AskID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// `nil` when it is not of that form.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 26, text.hasPrefix("ask_"), bytes.dropFirst(4).allSatisfy(\.isBase64URLCharacter) else {
            return nil
        }
        rawValue = text
    }

    /// Made from 16 random bytes.
    package init(randomBytes: [UInt8]) {
        precondition(randomBytes.count == 16, "an ask id is made of 128 random bits")
        rawValue = "ask_" + Base64URL.encode(randomBytes)
    }

    package var description: String { rawValue }
}
