import Core

/// Log events as lines of JSON on standard error.
enum LogLines {
    static func sink(from level: LogEvent.Level) -> LogSink {
        { event in
            guard event.level >= level else { return }
            var members: [JSON.Member] = [
                .init("time", .string(RFC3339.format(Clock.source.wall()))),
                .init("level", .string(event.level.rawValue)),
                .init("message", .string(event.message.description)),
            ]
            members += event.values.map { .init($0.name.description, $0.value) }
            Output.note(String(decoding: JSON.object(members).encoded(), as: UTF8.self))
        }
    }
}
