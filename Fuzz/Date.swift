import Glibc

/// Dates of both forms: a time that was read is written and read again as the same second, and the C library agrees on
/// every day.
func checkDate(_ bytes: [UInt8]) {
    requireAgreement(UnixTime(nanoseconds: bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }))
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let internet = Cost.bounded { RFC3339.parse(text) }
    let http = Cost.bounded { HTTPDate.parse(text) }
    if let internet {
        requireAgreement(internet)
        require(internet.seconds == naively(bytes), "\(text) is another time")
    }
    if let http {
        requireAgreement(http)
        let isLeapSecond = bytes[23] == UInt8(ascii: "6")
        require(isLeapSecond || HTTPDate.format(http) == text, "\(text) is written otherwise")
    }
}

private func requireAgreement(_ time: UnixTime) {
    var seconds = Int(time.seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    for (form, text) in [
        ("%Y-%m-%dT%H:%M:%SZ", RFC3339.format(time)), ("%a, %d %b %Y %H:%M:%S GMT", HTTPDate.format(time)),
    ] {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = strftime(&buffer, buffer.count, form, &parts)
        let written = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        require(written == text, "the C library writes \(written), we write \(text)")
    }
    // The first second that `UnixTime` holds begins before it.
    let second = UnixTime(seconds: time.seconds)
    guard second.seconds == time.seconds, second.nanoseconds != .min else { return }
    require(RFC3339.parse(RFC3339.format(time)) == second, "\(RFC3339.format(time)) reads back as another time")
    require(HTTPDate.parse(HTTPDate.format(time)) == second, "\(HTTPDate.format(time)) reads back as another time")
}

/// The second of a date that was accepted.
private func naively(_ bytes: [UInt8]) -> Int64 {
    func number(_ range: Range<Int>) -> Int32 {
        require(Int32(String(decoding: bytes[range], as: UTF8.self)), "a date holds no number")
    }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(0..<4) - 1900, number(5..<7) - 1, number(8..<10))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(11..<13), number(14..<16), number(17..<19))
    let local = timegm(&parts)
    guard let last = bytes.last, last != UInt8(ascii: "Z"), last != UInt8(ascii: "z") else { return Int64(local) }
    let zone = bytes.count - 6
    let offset = Int(number(zone + 1..<zone + 3) * 60 + number(zone + 4..<zone + 6)) * 60
    return Int64(bytes[zone] == UInt8(ascii: "-") ? local + offset : local - offset)
}
