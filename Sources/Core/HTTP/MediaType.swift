/// What a `Content-Type` announces (RFC 9110, section 8.3).
package enum MediaType {
    /// Is it `application/json` and nothing else? The one parameter that may be there is `charset=utf-8`, once; JSON is
    /// UTF-8 without it too (RFC 8259, section 8.1).
    ///
    /// A browser page can send a "simple" request of another type without asking first, so nothing near is good enough.
    package static func isJSON(_ value: String) -> Bool {
        var scanner = FieldValueScanner(Array(value.utf8))
        guard scanner.token() == "application", scanner.take("/"), scanner.token() == "json" else { return false }
        var hasCharset = false
        while true {
            scanner.skipWhiteSpace()
            if scanner.isAtEnd { return true }
            guard scanner.take(";") else { return false }
            scanner.skipWhiteSpace()
            guard let name = scanner.token() else { continue }
            guard name == "charset", !hasCharset, scanner.take("="), let charset = scanner.word(),
                charset.utf8.map(\.asciiLowercased) == Array("utf-8".utf8)
            else { return false }
            hasCharset = true
        }
    }

    /// Does `Accept` ask for a stream of events rather than for JSON (RFC 9110, section 12.5.1)? Only what is named counts,
    /// not what a wildcard covers; where both are wanted equally, it is JSON. What cannot be read asks for nothing.
    package static func prefersEventStream(_ fields: HTTPFields) -> Bool {
        var stream = 0
        var json = 0
        for line in fields.values("accept") {
            var scanner = FieldValueScanner(line)
            repeat {
                scanner.skipWhiteSpace()
                guard let type = scanner.token(), scanner.take("/"), let subtype = scanner.token() else { return false }
                guard let quality = quality(&scanner) else { return false }
                if type == "text", subtype == "event-stream" { stream = max(stream, quality) }
                if type == "application", subtype == "json" { json = max(json, quality) }
            } while scanner.take(",")
            guard scanner.isAtEnd else { return false }
        }
        return stream > json
    }

    /// In thousandths; `nil` when the parameters cannot be read.
    private static func quality(_ scanner: inout FieldValueScanner) -> Int? {
        var quality = 1000
        scanner.skipWhiteSpace()
        while scanner.take(";") {
            scanner.skipWhiteSpace()
            guard let name = scanner.token() else { continue }
            guard scanner.take("="), let value = scanner.word() else { return nil }
            if name == "q" {
                guard let weight = thousandths(value) else { return nil }
                quality = weight
            }
            scanner.skipWhiteSpace()
        }
        return quality
    }

    private static func thousandths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, whole == "0" || whole == "1", parts.count <= 2 else { return nil }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard decimals.utf8.count <= 3, let fraction = Int("0" + decimals) else { return nil }
        let scale = [1000, 100, 10, 1][decimals.utf8.count]
        let value = (whole == "1" ? 1000 : 0) + fraction * scale
        return value <= 1000 ? value : nil
    }
}
