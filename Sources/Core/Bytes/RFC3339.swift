/// Dates as RFC 3339 writes them.
package enum RFC3339 {
    /// `2026-05-28T12:00:00Z`, in UTC and whole seconds.
    package static func format(_ time: UnixTime) -> String { fatalError() }
    /// Fractions of 1 to 9 digits, `Z`, `z` or a numeric offset. A leap second `:60` is the next second. `nil` otherwise.
    package static func parse(_ text: String) -> UnixTime? { fatalError() }
}
