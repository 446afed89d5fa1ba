import Core

/// What MimiKey's clock shows, learnt from one of its answers. It runs on with the monotonic clock, so that setting
/// this machine's clock right later does not put it wrong again.
struct ServerClock: Hashable, Sendable {
    private let shown: UnixTime
    private let at: Instant

    init(shows time: UnixTime, at instant: Instant) {
        shown = time
        at = instant
    }

    /// From the `Date` of an answer; `nil` when there is none, or more than one, or it cannot be read.
    init?(date fields: HTTPFields, at instant: Instant) {
        guard let text = fields.text(Wire.Field.date), let time = HTTPDate.parse(text) else { return nil }
        self.init(shows: time, at: instant)
    }

    func time(at instant: Instant) -> UnixTime { shown + (instant - at) }
}
