import Core
import Foundation
import Testing

struct RFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-05-28T12:00:00Z", 1_779_969_600), ("1969-12-31T23:59:59Z", -1),
        ("2000-02-29T00:00:00Z", 951_782_400), ("1900-03-01T00:00:00Z", -2_203_891_200),
        ("2262-04-11T23:47:16Z", 9_223_372_036), ("1677-09-21T00:12:44Z", -9_223_372_036),
    ])
    func `a time is written in UTC with seconds and read back`(text: String, seconds: Int64) {
        #expect(RFC3339.format(UnixTime(seconds: seconds)) == text)
        #expect(RFC3339.parse(text) == UnixTime(seconds: seconds))
    }

    @Test func `a part of a second is dropped, also before 1970`() {
        #expect(RFC3339.format(UnixTime(nanoseconds: 999_999_999)) == "1970-01-01T00:00:00Z")
        #expect(RFC3339.format(UnixTime(nanoseconds: -1)) == "1969-12-31T23:59:59Z")
    }

    @Test func `times are those of another formatter`() throws {
        let other = ISO8601DateFormatter()
        var random = SplitMix(seed: 3339)
        for _ in 0..<500 {
            let seconds = Int64.random(in: -9_000_000_000...9_000_000_000, using: &random)
            let text = other.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(RFC3339.format(UnixTime(seconds: seconds)) == text)
            #expect(RFC3339.parse(text) == UnixTime(seconds: seconds))
        }
    }

    @Test(arguments: [
        ("2026-05-28T12:00:00.5Z", 500_000_000), ("2026-05-28T12:00:00.123Z", 123_000_000),
        ("2026-05-28T12:00:00.123456Z", 123_456_000), ("2026-05-28T12:00:00.123456789Z", 123_456_789),
        ("2026-05-28T12:00:00.000000001Z", 1), ("2026-05-28t12:00:00z", 0), ("2026-05-28T12:00:00+00:00", 0),
        ("2026-05-28T12:00:00-00:00", 0), ("2026-05-28T14:00:00+02:00", 0), ("2026-05-28T06:30:00-05:30", 0),
        ("2026-05-29T11:59:00+23:59", 0), ("2026-05-28T12:00:00.25+00:00", 250_000_000),
    ])
    func `PR-11 AP-14 fractions, offsets and small letters are read`(text: String, nanoseconds: Int64) {
        #expect(RFC3339.parse(text) == UnixTime(nanoseconds: 1_779_969_600_000_000_000 + nanoseconds))
    }

    @Test func `PR-11 a leap second is the next second`() {
        #expect(RFC3339.parse("2016-12-31T23:59:60Z") == RFC3339.parse("2017-01-01T00:00:00Z"))
        #expect(RFC3339.parse("2016-12-31T18:59:60.5-05:00") == RFC3339.parse("2017-01-01T00:00:00.5Z"))
    }

    @Test(arguments: [
        "", "2026-05-28", "2026-05-28T12:00:00", "2026-05-28T12:00Z", "2026-05-28 12:00:00Z", "2026-05-28T12:00:00 Z",
        "2026-05-28T12:00:00.Z", "2026-05-28T12:00:00.1234567890Z", "2026-05-28T12:00:00,5Z", "2026-05-28T12:00:00+02",
        "2026-05-28T12:00:00+0200", "2026-05-28T12:00:00+24:00", "2026-05-28T12:00:00+02:60", "2026-05-28T24:00:00Z",
        "2026-05-28T12:60:00Z", "2026-05-28T12:00:61Z", "2026-02-29T12:00:00Z", "2026-13-01T12:00:00Z",
        "2026-00-01T12:00:00Z", "2026-05-00T12:00:00Z", "2026-05-32T12:00:00Z", "26-05-28T12:00:00Z",
        "+2026-05-28T12:00:00Z", "2026-5-28T12:00:00Z", "2026-05-28T12:00:00ZZ", " 2026-05-28T12:00:00Z",
        "2026-05-28T12:00:00Z\n", "٢٠٢٦-05-28T12:00:00Z", "2569-05-28T12:00:00Z", "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z", "1779969600", "2026-05-28T12:00:00UTC", "20260528T120000Z", "2026-W22-4T12:00:00Z",
        "-026-05-28T12:00:00Z", "2026-05-28T-1:00:00Z",
    ])
    func `PR-11 AP-14 anything else is no time`(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }
}
