/// Something that happened, said as a fixed sentence with values beside it, each under a name of `Field`. No secret,
/// body, query or field of a request is ever a value.
package struct LogEvent: Sendable {
    package enum Level: String, Hashable, Comparable, Sendable, CaseIterable {
        case debug
        case info
        case warning
        case error

        package static func < (left: Level, right: Level) -> Bool {
            left.order < right.order
        }

        private var order: Int { Level.allCases.firstIndex(of: self) ?? 0 }
    }

    package let level: Level
    package let message: StaticString
    package let values: [(field: Field, value: JSON)]

    package init(_ level: Level, _ message: StaticString, _ values: [(Field, JSON)] = []) {
        self.level = level
        self.message = message
        self.values = values.map { (field: $0.0, value: $0.1) }
    }
}

/// Where log events go; the gateway writes them to standard error as JSON lines.
package typealias LogSink = @Sendable (LogEvent) -> Void
