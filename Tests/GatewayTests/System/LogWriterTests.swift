import Core
import Foundation
import Synchronization
import Testing

@testable import Gateway

struct LogWriterTests {
    private final class Lines: Sendable {
        let bytes = Mutex<[[UInt8]]>([])
        let seconds = Mutex<Int64>(1_780_000_000)
        var texts: [String] { bytes.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }
    }

    private static func writer(_ lines: Lines, from level: LogEvent.Level = .info) -> LogWriter {
        LogWriter(
            from: level, wall: { UnixTime(seconds: lines.seconds.withLock { $0 }) },
            write: { line in
                lines.bytes.withLock { $0.append(line) }
                return true
            })
    }

    @Test func `an event is one JSON object on one line`() {
        let lines = Lines()
        let log = Self.writer(lines).sink
        log(LogEvent(.info, "card made", [(.caller, "agent\n\"x\""), (.count, 3), (.error, nil)]))
        #expect(
            lines.texts == [
                #"{"time":"2026-05-28T20:26:40Z","level":"info","message":"card made","caller":"agent\n\"x\"","count":3}"#
                    + "\n"
            ])
    }

    @Test func `what is below the level is not written`() {
        let lines = Lines()
        let log = Self.writer(lines, from: .warning).sink
        log(LogEvent(.info, "quiet"))
        log(LogEvent(.error, "loud"))
        #expect(lines.texts.count == 1)
    }

    @Test func `more than 200 lines in a second are counted instead`() {
        let lines = Lines()
        let log = Self.writer(lines).sink
        for _ in 0..<250 { log(LogEvent(.info, "again")) }
        #expect(lines.texts.count == 200)
        lines.seconds.withLock { $0 += 1 }
        log(LogEvent(.info, "again"))
        #expect(lines.texts.count == 202)
        #expect(lines.texts[200].contains(#""message":"log lines dropped","count":50"#))
    }

    @Test func `LC-11 a pipe that nobody reads is not waited for, and what it does not take is counted`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let flags = fcntl(ends[1], F_GETFL)
        _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
        let filling = [UInt8](repeating: 0, count: 4096)
        while write(ends[1], filling, filling.count) > 0 {}
        _ = fcntl(ends[1], F_SETFL, flags)

        let seconds = Mutex<Int64>(1_780_000_000)
        let descriptor = ends[1]
        let log = LogWriter(
            from: .info, wall: { UnixTime(seconds: seconds.withLock { $0 }) },
            write: { LogWriter.write($0, to: descriptor) }
        ).sink
        log(LogEvent(.info, "lost"))
        seconds.withLock { $0 += 1 }
        log(LogEvent(.info, "lost"))

        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        #expect(read(ends[0], &buffer, buffer.count) > 0)
        seconds.withLock { $0 += 1 }
        log(LogEvent(.info, "again"))
        let count = read(ends[0], &buffer, buffer.count)
        let lines = String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""message":"log lines dropped","count":2"#) == true)
    }
}
