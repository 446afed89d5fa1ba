/// The `reason` on the person's card. It begins with what we know, then gives the caller's own words as a claim:
/// `agent (verified by Countersign) says: "reconcile"`, and on a socket `agent (uid 1001, verified by Countersign) …`.
///
/// The person decides by this text, so a claim can neither leave its quotes nor hide anything: quotes and backslashes
/// stand behind a backslash, and what has no shape of its own (controls, bidi and other format characters, zero-width
/// and unassigned ones) is shown as `\u{202E}`.
package enum ReasonText {
    /// Unicode scalars of the whole text. A claim that is too long ends in `…`; the verified part is never cut.
    package static let longest = 500

    /// - Parameter uid: the user that the kernel saw at the other end of the caller's socket.
    package static func card(caller: CallerName, uid: UInt32?, claim: String?) -> String {
        let user = uid.map { "uid \($0), " } ?? ""
        let known = "\(caller) (\(user)verified by Countersign)"
        guard let claim, !claim.isEmpty else { return known + " gives no reason." }
        let opening = known + " says: \""
        return opening + shown(claim, upTo: longest - opening.unicodeScalars.count - 1) + "\""
    }

    /// `text` with at most `room` scalars, escapes counted in full and never cut.
    private static func shown(_ text: String, upTo room: Int) -> String {
        var pieces: [String] = []
        var count = 0
        for scalar in text.unicodeScalars {
            let piece = escaped(scalar)
            pieces.append(piece)
            count += piece.unicodeScalars.count
            if count > room { break }
        }
        guard count > room else { return pieces.joined() }
        while count >= room, let piece = pieces.popLast() { count -= piece.unicodeScalars.count }
        return pieces.joined() + "…"
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\"" || scalar == "\\" { return "\\" + String(scalar) }
        return scalar.hasShape ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
}

extension Unicode.Scalar {
    /// Is there something to see of it? Controls, bidi and other format characters, zero-width and unassigned ones are what
    /// a text can hide things with.
    package var hasShape: Bool {
        if properties.isDefaultIgnorableCodePoint { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }
}
