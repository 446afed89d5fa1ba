import Core

extension String {
    /// Is there something in it that looks like a caller's token: `cs_` and 43 characters of base64url?
    var holdsCallerToken: Bool {
        var rest = utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "c")) {
            rest = rest[start...]
            if rest.starts(with: Self.prefix), rest.dropFirst(3).prefix(43).count(where: \.isBase64URLCharacter) == 43 {
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    private static let prefix = Array("cs_".utf8)
}
