import Core

/// The `Date` field: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Times before 1970 or after 9999 are clamped: a clock that is that wrong must not break the framing.
    static func format(_ time: UnixTime) -> String {
        let seconds = min(max(time.seconds, 0), 253_402_300_799)
        let (days, ofDay) = seconds.quotientAndRemainder(dividingBy: 86400)
        let (year, month, day) = civil(days)
        let clock = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { twoDigits($0) }.joined(separator: ":")
        let weekday = weekdays[Int(days % 7)]
        return "\(weekday), \(twoDigits(day)) \(months[Int(month) - 1]) \(fourDigits(year)) \(clock) GMT"
    }

    /// The proleptic Gregorian date of a day counted from 1970-01-01, by eras of 400 years that begin on March 1.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let ofEra = shifted % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, ofYear - (153 * fromMarch + 2) / 5 + 1)
    }

    private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func fourDigits(_ value: Int64) -> String {
        let text = "\(value)"
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
}
