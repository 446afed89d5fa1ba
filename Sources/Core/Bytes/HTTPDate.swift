/// `Date` and such fields (RFC 9110, section 5.6.7): IMF-fixdate.
package enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func format(_ time: UnixTime) -> String {
        let seconds = Int(time.seconds)
        let second = (seconds % 86_400 + 86_400) % 86_400
        let day = CivilDay(sinceEpoch: (seconds - second) / 86_400)
        return weekdays[day.weekday] + ", " + digits(day.day) + " " + months[day.month - 1] + " "
            + digits(day.year / 100) + digits(day.year % 100) + " " + digits(second / 3600) + ":"
            + digits(second / 60 % 60) + ":" + digits(second % 60) + " GMT"
    }

    /// Only the form that `format` writes, with the right day of the week; the two obsolete forms are `nil`. A leap second
    /// `:60` is the next second. `nil` too for a time that `UnixTime` cannot hold.
    package static func parse(_ text: String) -> UnixTime? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29 else { return nil }
        let month = months.firstIndex { Array($0.utf8) == Array(bytes[8..<11]) }
        guard let month, let dayNumber = number(bytes[5..<7]), let year = number(bytes[12..<16]),
            let hour = number(bytes[17..<19]), let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
            let day = CivilDay(year: year, month: month + 1, day: dayNumber), hour < 24, minute < 60, second <= 60
        else { return nil }
        let punctuation = Array("\(weekdays[day.weekday]), ".utf8)
        guard Array(bytes[..<5]) == punctuation, bytes[7] == .space, bytes[11] == .space, bytes[16] == .space,
            bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"), Array(bytes[25...]) == Array(" GMT".utf8)
        else { return nil }
        let seconds = Int64(day.sinceEpoch * 86_400 + hour * 3600 + minute * 60 + second)
        let time = UnixTime(seconds: seconds)
        return time.seconds == seconds ? time : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
