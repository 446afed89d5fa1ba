/// How the scripted person behaves. They tap without the card being opened, so that plain `curl` flows work.
package struct PersonScript: Hashable, Sendable {
    package enum Taps: Hashable, Sendable {
        /// Taps *use this item* (or *allow*, or *save*) that long after the card could be seen. `savesOutside`: a new
        /// item goes to a vault that the grant does not have.
        case approve(after: Duration, savesOutside: Bool)
        /// Taps *deny* that long after the card could be seen.
        case deny(after: Duration)
        /// An update meets an item that changed elsewhere; the rest is approved.
        case conflict(after: Duration)
        /// Never taps; the request runs out.
        case expire
        /// Waits for the control door.
        case manual
        /// Nobody is signed in on the phone: whatever is opened comes back with that, and nothing is tapped.
        case notSignedIn
    }

    /// What becomes of the consent card.
    package enum Consent: Hashable, Sendable {
        /// What the taps say.
        case asCards
        case allow
        case deny
    }

    package let taps: Taps
    package let consent: Consent

    package init(_ taps: Taps, consent: Consent = .asCards) {
        self.taps = taps
        self.consent = consent
    }

    package static func approve(after delay: Duration, savesOutside: Bool = false) -> PersonScript {
        PersonScript(.approve(after: delay, savesOutside: savesOutside))
    }
    package static func deny(after delay: Duration) -> PersonScript { PersonScript(.deny(after: delay)) }
    package static func conflict(after delay: Duration) -> PersonScript { PersonScript(.conflict(after: delay)) }
    package static let expire = PersonScript(.expire)
    package static let manual = PersonScript(.manual)
    package static let notSignedIn = PersonScript(.notSignedIn)
}

extension PersonScript {
    /// `approve`, `deny`, `conflict`, `expire`, `none`, `not_signed_in`; the first three with `after=2s` at will, and
    /// without a word of these `after=2s` approves. `save=outside` saves new items outside the grant; `consent=deny` and
    /// `consent=allow` answer the consent card otherwise than the rest.
    ///
    /// A delay is a whole number of `ms`, `s` or `m`, at most an hour.
    package init?(_ text: String) {
        var words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard let first = words.first else { return nil }
        let head = first.contains("=") ? "approve" : String(words.removeFirst())
        var options: [Substring: Substring] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, options.updateValue(parts[1], forKey: parts[0]) == nil else { return nil }
        }
        let consent: Consent
        switch options.removeValue(forKey: "consent") {
        case nil: consent = .asCards
        case "allow": consent = .allow
        case "deny": consent = .deny
        case .some: return nil
        }
        let after = options.removeValue(forKey: "after")
        guard let delay = after.map(PersonScript.delay) ?? .zero else { return nil }
        let saving = options.removeValue(forKey: "save")
        guard options.isEmpty, saving == nil || (head == "approve" && saving == "outside") else { return nil }
        switch (head, after) {
        case ("approve", _): taps = .approve(after: delay, savesOutside: saving != nil)
        case ("deny", _): taps = .deny(after: delay)
        case ("conflict", _): taps = .conflict(after: delay)
        case ("expire", nil): taps = .expire
        case ("none", nil): taps = .manual
        case ("not_signed_in", nil): taps = .notSignedIn
        default: return nil
        }
        self.consent = consent
    }

    private static func delay(_ value: Substring) -> Duration? {
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
