/// Server-sent events (WHATWG HTML, section 9.2) out of the pieces of a body. Comments and unknown fields are dropped.
struct EventStream: Sendable {
    struct Event: Hashable, Sendable {
        let name: String
        let data: [UInt8]
    }

    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8]?

    /// Longer lines are cut: they are nobody's whom we know.
    private static let longest = 1 << 20

    /// Gives the events that are complete now.
    mutating func take(_ piece: [UInt8]) -> [Event] {
        var events: [Event] = []
        for byte in piece {
            guard byte == 0x0A else {
                if line.count < Self.longest { line.append(byte) }
                continue
            }
            if line.last == 0x0D { line.removeLast() }
            if line.isEmpty {
                if let data { events.append(Event(name: name.isEmpty ? "message" : name, data: data)) }
                (name, data) = ("", nil)
            } else {
                takeLine()
            }
            line = []
        }
        return events
    }

    private mutating func takeLine() {
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(field.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if field.elementsEqual("event".utf8) { name = String(decoding: value, as: UTF8.self) }
        if field.elementsEqual("data".utf8) { data = (data.map { $0 + [0x0A] } ?? []) + value }
    }
}
