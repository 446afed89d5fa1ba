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
}
