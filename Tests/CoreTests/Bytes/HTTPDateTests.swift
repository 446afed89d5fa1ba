import Core
import Testing

struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Thu, 28 May 2026 12:00:00 GMT", 1_779_969_600),
            ("Fri, 31 Dec 2100 23:59:59 GMT", 4_133_980_799), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Mon, 01 Jan 1900 00:00:00 GMT", -2_208_988_800),
        ] as [(String, Int64)])
    func `a date is written and read`(_ text: String, _ seconds: Int64) {
        #expect(HTTPDate.format(UnixTime(seconds: seconds)) == text)
        #expect(HTTPDate.parse(text)?.seconds == seconds)
    }

    @Test func `parts of a second are dropped and a leap second is the next second`() {
        #expect(HTTPDate.format(UnixTime(nanoseconds: 1_999_999_999)) == "Thu, 01 Jan 1970 00:00:01 GMT")
        #expect(HTTPDate.format(UnixTime(nanoseconds: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.parse("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate.parse("Sun, 01 Jan 2017 00:00:00 GMT"))
    }

    @Test func `every day of four centuries is its own and comes back`() {
        var weekday = 4
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        for day in 0..<105_000 as Range<Int64> {
            let time = UnixTime(seconds: day * 86_400)
            let text = HTTPDate.format(time)
            guard text.hasPrefix(names[weekday]), HTTPDate.parse(text) == time else {
                Issue.record("day \(day) is written \(text)")
                return
            }
            weekday = (weekday + 1) % 7
        }
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Mon, 06 Nov 1994 08:49:37 GMT",
        "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +00", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Wed, 30 Feb 1994 08:49:37 GMT",
        "Wed, 29 Feb 2023 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 1994 08.49.37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
    ])
    func `anything else is no date`(_ text: String) { #expect(HTTPDate.parse(text) == nil) }
}
