/// Finds the end of a line, looking at each byte once, in the order in which the bytes came.
///
/// It refuses at the first byte that cannot stand in such a line. Because nothing depends on how much of the line is
/// there already, the verdict is the same whichever way the line was split on the way.
struct HTTP1LineScanner: Sendable {
    /// What the line is: it decides which bytes may stand in it.
    enum Line: Sendable {
        case request
        case status
        case field
    }

    private var scanned = 0
    private var carriageReturnCame = false

    /// The length of the line at the front of `buffer`, without its CRLF; `nil` while its end has not come.
    ///
    /// `breach` is thrown when the line is longer than `limit`, as soon as the first byte too many has come.
    mutating func scan(
        _ buffer: borrowing HTTP1Buffer, for line: Line, limit: Int, breach: @autoclosure () -> HTTP1DecodeError
    ) throws(HTTP1DecodeError) -> Int? {
        let bytes = buffer.bytes.span
        var index = buffer.start + scanned
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if carriageReturnCame {
                guard byte == .lineFeed else { throw HTTP1DecodeError("A carriage return stands alone in the head.") }
                let length = scanned - 1
                self = HTTP1LineScanner()
                return length
            }
            if byte == .carriageReturn {
                carriageReturnCame = true
            } else {
                guard byte.mayStand(in: line) else {
                    throw HTTP1DecodeError(
                        byte == .lineFeed
                            ? "A line of the head ends without a carriage return."
                            : "The head holds a byte that may not stand there.")
                }
                guard scanned < limit else { throw breach() }
            }
            scanned += 1
        }
        return nil
    }
}

extension UInt8 {
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var tab: UInt8 { 0x09 }

    /// ASCII that is printed and no space.
    var isVisible: Bool { self > 0x20 && self < 0x7F }

    fileprivate func mayStand(in line: HTTP1LineScanner.Line) -> Bool {
        switch line {
        case .request: isVisible || self == .space
        case .status, .field: isVisible || self == .space || self == .tab || self >= 0x80
        }
    }
}

extension Span<UInt8> {
    /// A copy of some of the bytes.
    func copy(_ range: Range<Int>) -> [UInt8] {
        var copied: [UInt8] = []
        copied.reserveCapacity(range.count)
        for index in range { copied.append(self[index]) }
        return copied
    }
}
