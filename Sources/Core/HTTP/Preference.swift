/// What a client would like (RFC 7240). We know `wait`; every other preference is ignored, as the RFC asks.
package enum Preference {
    /// A wait that is longer than this is this: seconds in 31 years.
    package static let longestWait = 999_999_999

    /// The seconds of `Prefer: wait=N`; `nil` when it is not asked for. Of several only the first counts, in whichever
    /// line. Throws `invalid_preference` when N is not decimal digits, or when a line is no list of preferences.
    package static func wait(in fields: HTTPFields) throws(Problem) -> Int? {
        var wait: Int?
        for line in fields.values("prefer") {
            let found = try firstWait(in: line)
            if wait == nil { wait = found }
        }
        return wait
    }

    private static func firstWait(in line: [UInt8]) throws(Problem) -> Int? {
        var scanner = FieldValueScanner(line)
        var wait: Int?
        repeat {
            scanner.skipWhiteSpace()
            guard let name = scanner.token() else { continue }
            let value = try value(&scanner)
            while scanner.take(";") {
                scanner.skipWhiteSpace()
                if scanner.token() != nil { _ = try Self.value(&scanner) }
                scanner.skipWhiteSpace()
            }
            if name == "wait", wait == nil { wait = try seconds(value) }
        } while scanner.take(",")
        guard scanner.isAtEnd else { throw unreadable }
        return wait
    }

    /// What follows a name: `=` and a word, or nothing. White space around it is skipped.
    private static func value(_ scanner: inout FieldValueScanner) throws(Problem) -> String? {
        scanner.skipWhiteSpace()
        guard scanner.take("=") else { return nil }
        scanner.skipWhiteSpace()
        guard let word = scanner.word() else { throw unreadable }
        scanner.skipWhiteSpace()
        return word
    }

    private static func seconds(_ value: String?) throws(Problem) -> Int {
        guard let digits = value?.utf8, !digits.isEmpty,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw Problem(.invalidPreference, "`Prefer: wait` takes a whole number of seconds.") }
        var seconds = 0
        for digit in digits { seconds = min(seconds * 10 + Int(digit - UInt8(ascii: "0")), longestWait) }
        return seconds
    }

    private static let unreadable = Problem(.invalidPreference, "The Prefer field is no list of preferences.")
}
