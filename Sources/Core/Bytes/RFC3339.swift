/// Dates as RFC 3339 writes them.
package enum RFC3339 {
    /// `2026-05-28T12:00:00Z`, in UTC and whole seconds.
    package static func format(_ time: UnixTime) -> String {
        let second = Int(((time.seconds % 86_400) + 86_400) % 86_400)
        let day = CivilDay(sinceEpoch: (Int(time.seconds) - second) / 86_400)
        return digits(day.year / 100) + digits(day.year % 100) + "-" + digits(day.month) + "-" + digits(day.day) + "T"
            + digits(second / 3600) + ":" + digits(second / 60 % 60) + ":" + digits(second % 60) + "Z"
    }

    /// Fractions of 1 to 9 digits, `Z`, `z` or a numeric offset. A leap second `:60` is the next second. `nil` otherwise,
    /// and for a time that `UnixTime` cannot hold (before 1677, after 2262).
    package static func parse(_ text: String) -> UnixTime? {
        var rest = Array(text.utf8)[...]
        guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest), take("-", &rest),
            let dayOfMonth = number(2, &rest), let day = CivilDay(year: year, month: month, day: dayOfMonth),
            take("T", &rest) || take("t", &rest), let hour = number(2, &rest), hour < 24, take(":", &rest),
            let minute = number(2, &rest), minute < 60, take(":", &rest), let second = number(2, &rest), second <= 60,
            let nanoseconds = fraction(&rest), let offset = offset(&rest), rest.isEmpty
        else { return nil }
        let seconds = Int64(day.sinceEpoch * 86_400 + (hour * 60 + minute - offset) * 60 + second)
        let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = whole.addingReportingOverflow(Int64(nanoseconds))
        return tooLarge || overflow ? nil : UnixTime(nanoseconds: sum)
    }

    /// Nanoseconds; 0 when there is no fraction.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard take(".", &rest) else { return 0 }
        var nanoseconds = 0
        var unit = 1_000_000_000
        while let digit = rest.first, digit.isASCIIDigit {
            guard unit > 1 else { return nil }
            unit /= 10
            nanoseconds += Int(digit - UInt8(ascii: "0")) * unit
            rest.removeFirst()
        }
        return unit < 1_000_000_000 ? nanoseconds : nil
    }

    /// Minutes east of UTC.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if take("Z", &rest) || take("z", &rest) { return 0 }
        let isEast = take("+", &rest)
        guard isEast || take("-", &rest), let hour = number(2, &rest), hour < 24, take(":", &rest),
            let minute = number(2, &rest), minute < 60
        else { return nil }
        return (hour * 60 + minute) * (isEast ? 1 : -1)
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= count else { return nil }
        var value = 0
        for digit in rest.prefix(count) {
            guard digit.isASCIIDigit else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        rest.removeFirst(count)
        return value
    }

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
