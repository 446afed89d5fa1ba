/// Where a message's body ends (RFC 9112, section 6.3), with nothing left to guess: what two readers could understand
/// differently is refused.
enum HTTP1Framing {
    static func request(_ fields: HTTPFields, _ version: HTTPVersion) throws(HTTP1DecodeError) -> BodyFraming {
        try announced(fields, version) ?? .none
    }

    static func response(
        _ head: ResponseHead, to method: HTTPMethod
    ) throws(HTTP1DecodeError) -> BodyFraming {
        let announced = try announced(head.fields, head.version)
        if method == .head || head.status.forbidsBody { return .none }
        return announced ?? .untilClose
    }

    /// What `Content-Length` or `Transfer-Encoding` says; `nil` when neither is there.
    private static func announced(
        _ fields: HTTPFields, _ version: HTTPVersion
    ) throws(HTTP1DecodeError) -> BodyFraming? {
        let lengths = fields.values(.contentLength)
        let codings = fields.values(.transferEncoding)
        if codings.isEmpty {
            guard let length = lengths.first else { return nil }
            guard lengths.count == 1 else { throw HTTP1DecodeError("Content-Length is there more than once.") }
            let count = try contentLength(length)
            return count == 0 ? BodyFraming.none : .length(count)
        }
        guard lengths.isEmpty else {
            throw HTTP1DecodeError("Content-Length and Transfer-Encoding are both there.")
        }
        guard version == .http11 else { throw HTTP1DecodeError("HTTP/1.0 has no Transfer-Encoding.") }
        guard codings.count == 1 else { throw HTTP1DecodeError("Transfer-Encoding is there more than once.") }
        try checkChunkedAlone(codings[0])
        return .chunked
    }

    /// Decimal digits without a sign, white space or a leading zero.
    private static func contentLength(_ digits: [UInt8]) throws(HTTP1DecodeError) -> Int {
        let wrong = HTTP1DecodeError("Content-Length is no plain decimal number.")
        guard !digits.isEmpty, digits.count == 1 || digits[0] != UInt8(ascii: "0") else { throw wrong }
        var value = 0
        for digit in digits {
            guard digit.isASCIIDigit else { throw wrong }
            let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !tooLarge, !overflow else { throw HTTP1DecodeError("Content-Length is too large a number.") }
            value = sum
        }
        return value
    }

    /// `chunked` is the one coding that is known. A well-formed list that ends with it and names others before is 501;
    /// anything else leaves the end of the body open and is 400.
    private static func checkChunkedAlone(_ value: [UInt8]) throws(HTTP1DecodeError) {
        let chunked = Array("chunked".utf8)
        let lowered = value.map(\.asciiLowercased)
        if lowered == chunked { return }
        let codings = lowered.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { coding in
            Array(coding.drop { $0 == .space })
        }
        guard codings.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isTokenCharacter) }), codings.last == chunked,
            codings.count(where: { $0 == chunked }) == 1
        else { throw HTTP1DecodeError("Transfer-Encoding is not chunked alone.") }
        throw .notImplemented("No transfer coding but chunked is known here.")
    }
}
