import Core

/// When a request runs out, on MimiKey's clock. However often MimiKey moves it: no wait is for ever.
struct RequestDeadline: Hashable, Sendable {
    /// What counts.
    private(set) var time: UnixTime
    private var stated: UnixTime
    private var latest: UnixTime

    /// - Parameter now: MimiKey's time when the wait begins.
    init(_ stated: UnixTime, at now: UnixTime) {
        self.stated = stated
        latest = now + Wire.longestPatience
        time = min(stated, latest)
    }

    /// Gives by how much it moves. The difference of two of MimiKey's own times: setting this machine's clock meanwhile
    /// changes nothing.
    mutating func move(to stated: UnixTime) -> Duration {
        let before = time
        self.stated = stated
        time = min(stated, latest)
        return time - before
    }

    /// What was taken for MimiKey's time was wrong; it is `now`.
    mutating func readAnew(at now: UnixTime) {
        latest = now + Wire.longestPatience
        time = min(stated, latest)
    }
}
