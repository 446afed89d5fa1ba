/// The lines of `text/event-stream` (WHATWG HTML, section 9.2).
package enum ServerSentEvent {
    /// An event whose data is one line of JSON: the encoder leaves no line end in it.
    package static func event(_ name: StaticString, _ data: JSON) -> [UInt8] {
        Array("event: \(name)\ndata: ".utf8) + data.encoded() + Array("\n\n".utf8)
    }

    /// What a reader skips: it keeps the connection from looking dead, and says to people why a stream ends.
    package static func comment(_ text: StaticString) -> [UInt8] { Array(": \(text)\n\n".utf8) }
}
