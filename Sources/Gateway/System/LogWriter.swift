package import Core
import Glibc
import Synchronization

/// Writes log events to standard error, one JSON object on a line. At most 200 lines in a second; what is more is
/// counted, and so is what standard error does not take; the count is written.
package final class LogWriter: Sendable {
    private static let linesPerSecond = 200

    private struct State {
        var second: Int64 = 0
        var written = 0
        var dropped: Int64 = 0
    }

    private let lowest: LogEvent.Level
    private let wall: @Sendable () -> UnixTime
    private let write: @Sendable ([UInt8]) -> Bool
    private let state = Mutex(State())

    package convenience init(from lowest: LogEvent.Level = .info) {
        self.init(from: lowest, wall: LogWriter.wallClock, write: { LogWriter.write($0, to: STDERR_FILENO) })
    }

    /// - Parameter write: takes a line, and says whether it did.
    init(
        from lowest: LogEvent.Level, wall: @escaping @Sendable () -> UnixTime,
        write: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.lowest = lowest
        self.wall = wall
        self.write = write
    }

    package var sink: LogSink {
        { event in self.take(event) }
    }

    private func take(_ event: LogEvent) {
        guard event.level >= lowest else { return }
        let now = wall()
        state.withLock { state in
            if state.second != now.seconds {
                var next = State(second: now.seconds)
                if state.dropped > 0 {
                    let dropped = LogEvent(.warning, "log lines dropped", [(.count, .integer(state.dropped))])
                    if !write(Self.line(dropped, at: now)) { next.dropped = state.dropped }
                }
                state = next
            }
            guard state.written < Self.linesPerSecond, write(Self.line(event, at: now)) else {
                state.dropped += 1
                return
            }
            state.written += 1
        }
    }

    private static func line(_ event: LogEvent, at time: UnixTime) -> [UInt8] {
        var members: [JSON.Member] = [
            .init("time", .string(RFC3339.format(time))),
            .init("level", .string(event.level.rawValue)),
            .init("message", .string(event.message.description)),
        ]
        for value in event.values where value.value != .null {
            members.append(.init(value.field.rawValue, value.value))
        }
        return JSON.object(members).encoded() + [UInt8(ascii: "\n")]
    }

    private static let wallClock: @Sendable () -> UnixTime = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Writes a whole line, and says whether it did. It never waits: whoever reads the log may have stopped reading, and
    /// the gateway goes on.
    static func write(_ line: [UInt8], to descriptor: Int32) -> Bool {
        // A pipe that is ready takes as much as any line has without a pause.
        var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&readiness, 1, 0) == 1, readiness.revents & Int16(POLLOUT) != 0 else { return false }
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
