/// How the scripted person behaves. They tap without the card being opened, so that plain `curl` flows work.
package enum PersonScript: Hashable, Sendable {
    /// Taps *use this item* (or *allow*) that long after the request was made.
    case approve(after: Duration)
    /// Taps *deny* that long after the request was made.
    case deny(after: Duration)
    /// Never taps; the request runs out.
    case expire
    /// Waits for the control door.
    case manual
}

extension PersonScript {
    /// `approve`, `deny`, `approve after=2s`, `after=500ms` (which approves), `deny after=1m`, `expire`, `none`.
    ///
    /// A delay is a whole number of `ms`, `s` or `m`, at most an hour.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        switch words.first {
        case "expire" where words.count == 1: self = .expire
        case "none" where words.count == 1: self = .manual
        case "approve":
            guard let delay = PersonScript.delay(words.dropFirst()) else { return nil }
            self = .approve(after: delay)
        case "deny":
            guard let delay = PersonScript.delay(words.dropFirst()) else { return nil }
            self = .deny(after: delay)
        case .some:
            guard let delay = PersonScript.delay(words[...]) else { return nil }
            self = .approve(after: delay)
        case nil: return nil
        }
    }

    /// No word, or one `after=…`.
    private static func delay(_ words: ArraySlice<Substring>) -> Duration? {
        guard let word = words.first else { return .zero }
        guard words.count == 1, word.hasPrefix("after=") else { return nil }
        let value = word.dropFirst("after=".count)
        let digits = value.prefix { $0.isASCII && $0.isNumber }
        guard (1...8).contains(digits.count), let number = Int64(digits) else { return nil }
        let delay: Duration
        switch value.dropFirst(digits.count) {
        case "ms": delay = .milliseconds(number)
        case "s": delay = .seconds(number)
        case "m": delay = .seconds(number * 60)
        default: return nil
        }
        return delay <= .seconds(3600) ? delay : nil
    }
}
