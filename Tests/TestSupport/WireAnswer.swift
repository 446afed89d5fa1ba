/// An answer as it came over a socket, taken apart by the rules of RFC 9112 alone.
package struct WireAnswer: Sendable {
    package let status: Int
    /// Names in lower case, in their order.
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    package struct Unreadable: Error {
        package let rest: String
    }

    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Takes a connection's answers apart; every body has a `Content-Length`, or ends with the connection. `methods`: of the
    /// requests, in order; of those that are not named it is GET.
    package static func all(_ bytes: [UInt8], to methods: [String] = []) throws -> [WireAnswer] {
        var answers: [WireAnswer] = []
        var rest = bytes[...]
        var finalCount = 0
        while !rest.isEmpty {
            let unreadable = Unreadable(rest: String(decoding: rest, as: UTF8.self))
            guard let head = takeHead(&rest) else { throw unreadable }
            var lines = head.components(by: "\r\n")[...]
            let start = lines.removeFirst().split(separator: " ", maxSplits: 2)
            guard start.count >= 2, start[0] == "HTTP/1.1", let status = Int(start[1]) else { throw unreadable }
            var fields: [(name: String, value: String)] = []
            for line in lines {
                guard let colon = line.firstIndex(of: ":") else { throw unreadable }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                fields.append((line[..<colon].lowercased(), String(value)))
            }
            let isInterim = (100..<200).contains(status)
            let isToHead = !isInterim && finalCount < methods.count && methods[finalCount] == "HEAD"
            if !isInterim { finalCount += 1 }
            var body: [UInt8] = []
            if !isInterim, !isToHead, status != 204, status != 304 {
                let lengths = fields.filter { $0.name == "content-length" }
                guard lengths.count == 1, let length = Int(lengths[0].value), length <= rest.count else {
                    throw unreadable
                }
                body = Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            answers.append(WireAnswer(status: status, fields: fields, body: body))
        }
        return answers
    }

    private static func takeHead(_ rest: inout ArraySlice<UInt8>) -> String? {
        let end = Array("\r\n\r\n".utf8)
        guard rest.count >= 4 else { return nil }
        for index in rest.startIndex...(rest.endIndex - 4) where Array(rest[index..<index + 4]) == end {
            defer { rest = rest[(index + 4)...] }
            return String(decoding: rest[..<index], as: UTF8.self)
        }
        return nil
    }
}

extension String {
    fileprivate func components(by separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
