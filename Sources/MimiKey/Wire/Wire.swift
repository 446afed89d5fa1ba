import Core

/// The wire of MimiKey v3, in one place: what this project had to assume about it is corrected here and nowhere else.
///
/// Marks: **[D]** MimiKey's public documents say so; **[A]** assumed where they are silent; **[ours]** a choice of this
/// project. `docs/protocol.md` lists them all.
enum Wire {}

extension Wire {
    /// Where the calls go. All [D].
    enum Path {
        static let token = "/api/oauth/token"
        static let account = "/api/oauth/account"
        static let vaults = "/api/oauth/vaults"
        static let requests = "/api/oauth/requests"

        static func request(_ id: String) -> String { "\(requests)/\(id)" }
        static func cancel(_ id: String) -> String { "\(requests)/\(id)/cancel" }
        static func patch(_ id: String) -> String { "\(requests)/\(id)/patch" }
    }

    /// [A] Ids stand in paths and in the AAD of boxes; we take 1 to 128 of `A-Z a-z 0-9 - . _ ~` and nothing else.
    static func isIdentifier(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isUnreserved } && text != "." && text != ".."
    }
}

extension UInt8 {
    /// `unreserved` of RFC 3986, section 2.3.
    fileprivate var isUnreserved: Bool {
        isBase64URLCharacter || self == UInt8(ascii: ".") || self == UInt8(ascii: "~")
    }
}
