import Core

extension Wire {
    static let malformed = Problem(.malformedResponse, "MimiKey's answer is not of the documented form.")

    /// [ours] A sealed box of 256 KiB is 350 KiB of text.
    private static let limits = JSONLimits(stringBytes: 512 << 10)

    /// An answer's body, which must be an object. Unknown members are ignored [A].
    static func document(_ body: [UInt8]) throws(Problem) -> JSONValue {
        guard let document = try? JSONDocument(body, limits: limits), document.root.kind == .object else {
            throw malformed
        }
        return document.root
    }

    static func optionalIdentifier(_ value: JSONValue?) throws(Problem) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string, isIdentifier(text) else { throw malformed }
        return text
    }

    /// `{"error":"code"}` [D]; `nil` for anything else. Codes are passed on verbatim, so only 1 to 64 of `a-z`, `0-9`
    /// and `_` count as one [ours], and none that means something that only we say: `denied` is the person's word, and
    /// `storage` that our own disk is full [ours].
    static func errorCode(of body: [UInt8]) -> ErrorCode? {
        guard let root = try? document(body), let text = root["error"]?.string, isErrorCode(text) else { return nil }
        let code = ErrorCode(text)
        return ErrorCatalogue.isOurs(code) ? nil : code
    }

    static func isErrorCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
            }
    }

    /// Integer Unix seconds [A] or RFC 3339 [A]. What would lie beyond the year 5000 is read as milliseconds [ours].
    static func time(_ value: JSONValue) -> UnixTime? {
        if let number = value.integer {
            guard number >= 0 else { return nil }
            let seconds = number >= 100_000_000_000 ? number / 1000 : number
            return UnixTime(seconds: seconds)
        }
        return value.string.flatMap(RFC3339.parse)
    }

    /// `Retry-After` (RFC 9110, section 10.2.3); at most 120 s are honoured [ours].
    static func retryAfter(_ fields: HTTPFields, now: UnixTime) -> Duration? {
        guard let text = fields.text(Field.retryAfter) else { return nil }
        if let seconds = Int64(text) { return seconds < 0 ? nil : .seconds(min(seconds, 120)) }
        return HTTPDate.parse(text).map { min(max($0 - now, .zero), .seconds(120)) }
    }
}
