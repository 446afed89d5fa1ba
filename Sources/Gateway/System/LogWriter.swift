package import Core
import Glibc
import Synchronization

/// Writes log events to standard error, one JSON object on a line. At most 200 lines in a second; what is more is
/// counted, and the count is written.
package final class LogWriter: Sendable {
    private static let linesPerSecond = 200

    private struct State {
        var second: Int64 = 0
        var written = 0
        var dropped: Int64 = 0
    }

    private let lowest: LogEvent.Level
    private let wall: @Sendable () -> UnixTime
    private let write: @Sendable ([UInt8]) -> Void
    private let state = Mutex(State())

    package convenience init(from lowest: LogEvent.Level = .info) {
        self.init(from: lowest, wall: LogWriter.wallClock, write: LogWriter.writeToStandardError)
    }

    init(
        from lowest: LogEvent.Level, wall: @escaping @Sendable () -> UnixTime,
        write: @escaping @Sendable ([UInt8]) -> Void
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
                if state.dropped > 0 {
                    let dropped = LogEvent(.warning, "log lines dropped", [("count", .integer(state.dropped))])
                    write(Self.line(dropped, at: now))
                }
                state = State(second: now.seconds)
            }
            guard state.written < Self.linesPerSecond else {
                state.dropped += 1
                return
            }
            state.written += 1
            write(Self.line(event, at: now))
        }
    }

    private static func line(_ event: LogEvent, at time: UnixTime) -> [UInt8] {
        var members: [JSON.Member] = [
            .init("time", .string(RFC3339.format(time))),
            .init("level", .string(event.level.rawValue)),
            .init("message", .string(event.message.description)),
        ]
        for value in event.values where value.value != .null {
            members.append(.init(value.name.description, value.value))
        }
        return JSON.object(members).encoded() + [UInt8(ascii: "\n")]
    }

    private static let wallClock: @Sendable () -> UnixTime = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Whole lines; when standard error takes none, the line is lost and the gateway goes on.
    private static let writeToStandardError: @Sendable ([UInt8]) -> Void = { line in
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
