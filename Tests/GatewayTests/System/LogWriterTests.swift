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
            write: { line in lines.bytes.withLock { $0.append(line) } })
    }

    @Test func `an event is one JSON object on one line`() {
        let lines = Lines()
        let log = Self.writer(lines).sink
        log(LogEvent(.info, "card made", [("caller", "agent\n\"x\""), ("count", 3), ("error", nil)]))
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
}
