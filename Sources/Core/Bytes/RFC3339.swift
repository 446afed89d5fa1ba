/// Dates as RFC 3339 writes them.
package enum RFC3339 {
    /// `2026-05-28T12:00:00Z`, in UTC and whole seconds.
    package static func format(_ time: UnixTime) -> String { fatalError() }
    /// Fractions of 1 to 9 digits, `Z`, `z` or a numeric offset. A leap second `:60` is the next second. `nil` otherwise.
    package static func parse(_ text: String) -> UnixTime? { fatalError() }
}

/// `Date` and such fields (RFC 9110, section 5.6.7): IMF-fixdate.
package enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func format(_ time: UnixTime) -> String { fatalError() }
    package static func parse(_ text: String) -> UnixTime? { fatalError() }
}
