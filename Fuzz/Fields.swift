/// The field lines of a head: what is let through is what a reader finds who knows nothing but CR LF and the colon.
func checkFields(_ bytes: [UInt8]) {
    let end: [UInt8] = [13, 10, 13, 10]
    let message = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + bytes + end
    let reading = Cost.bounded { readRequests(message, limits: .standard, closes: false) }
    guard case .head(let head, let framing)? = reading.events.first else { return }
    head.fields.requireSound()
    let found = naively(bytes + end)
    require(head.fields.lines.dropFirst().elementsEqual(found), "another reader finds other fields")
    let lengths = found.filter { $0.name == "content-length" }
    if let length = lengths.first {
        let count = require(Int(String(decoding: length.value, as: UTF8.self)), "the length is no number")
        require(framing == (count == 0 ? .none : .length(count)), "the framing is not the length")
    }
}

/// Up to the first empty line; a line without a colon would be a mistake of the decoder.
private func naively(_ bytes: [UInt8]) -> [HTTPField] {
    var fields: [HTTPField] = []
    var line: [UInt8] = []
    for byte in bytes {
        line.append(byte)
        guard line.suffix(2) == [13, 10] else { continue }
        line.removeLast(2)
        if line.isEmpty { break }
        let colon = require(line.firstIndex(of: UInt8(ascii: ":")), "a line has no colon")
        let name = require(HTTPFieldName(line[..<colon]), "a name is no token")
        var value = line[(colon + 1)...]
        while let first = value.first, first == 9 || first == 32 { value.removeFirst() }
        while let last = value.last, last == 9 || last == 32 { value.removeLast() }
        fields.append(HTTPField(name, bytes: Array(value)))
        line = []
    }
    return fields
}
