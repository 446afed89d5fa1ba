/// Collects the field lines of a head, or passes over those of a trailer, up to the empty line.
struct HTTP1FieldBlock: Sendable {
    private(set) var fields = HTTPFields()
    private let keepsFields: Bool
    private var scanner = HTTP1LineScanner()
    private var size = 0
    private var lineCount = 0

    /// Trailers are checked like a head, but not kept: nothing in them may change what the head said.
    init(keepsFields: Bool = true) { self.keepsFields = keepsFields }

    /// Uses up complete lines; `true` once the empty line has come.
    mutating func read(_ buffer: inout HTTP1Buffer, limits: HTTP1Limits) throws(HTTP1DecodeError) -> Bool {
        while true {
            let isFull = lineCount == limits.fieldCount
            let length = try scanner.scan(
                buffer, for: .field, limit: isFull ? 0 : limits.fieldBlock - size - 2,
                breach: .fieldsTooLarge(isFull ? "There are too many field lines." : "The field lines are too long."))
            guard let length else { return false }
            if length > 0 {
                let line = buffer.bytes.span.extracting(buffer.start..<buffer.start + length)
                let field = try HTTP1FieldLine.parse(line)
                if keepsFields { fields.append(field) }
                size += length + 2
                lineCount += 1
            }
            buffer.consume(length + 2)
            if length == 0 { return true }
        }
    }
}
