import Core

/// Logs who was hung up on at a Unix socket that does not let them in: at most one line in a second, so that whoever goes
/// on trying cannot fill the log.
struct RefusedUsers {
    private static let pause = Duration.seconds(1)

    private var lastLine: Instant?
    private var untold = 0

    /// The line to log now, which counts those that were not told of.
    mutating func note(_ peer: Peer, at now: Instant) -> LogEvent? {
        untold += 1
        if let lastLine, now - lastLine < Self.pause { return nil }
        defer {
            lastLine = now
            untold = 0
        }
        return LogEvent(
            .warning, "connection of another user refused",
            [
                (.uid, peer.credentials.map { .integer(Int64($0.uid)) } ?? .null),
                (.pid, peer.credentials.map { .integer(Int64($0.pid)) } ?? .null), (.count, .integer(Int64(untold))),
            ])
    }
}
