import Core
import Foundation

/// What `curl -i` saw.
struct CurlAnswer: Sendable {
    let status: Int
    let head: String
    let body: String
    let finished: Finished

    /// The output is the heads of all answers, the last body, and the status on a line of its own.
    init(_ finished: Finished) {
        self.finished = finished
        var text = finished.output
        let end = text.lastIndex(of: "\n") ?? text.startIndex
        status = Int(text[end...].trimmingCharacters(in: .newlines)) ?? 0
        text = String(text[..<end])
        var head = ""
        while text.hasPrefix("HTTP/"), let blank = text.range(of: "\r\n\r\n") {
            head = String(text[..<blank.lowerBound])
            text = String(text[blank.upperBound...])
        }
        self.head = head
        body = text
    }

    var json: JSONValue? { try? JSONDocument(Array(body.utf8)).root }
    var state: String? { json?["state"]?.string }
    var record: JSONValue? { json?["result"]?["item"]?["record"] }

    func field(_ name: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ":") {
            return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}
