/// Takes a chunked body apart (RFC 9112, section 7.1).
struct HTTP1ChunkDecoder: Sendable {
    private enum State: Sendable {
        /// In the size line. Then `extensions`, or `sizeLineFeed`.
        case size(Int, digits: Int)
        /// After a semicolon in the size line. Then `sizeLineFeed`.
        case extensions(Int, HTTP1ChunkExtension)
        /// After the carriage return of the size line. Then `data`, or `trailers` after the size 0.
        case sizeLineFeed(Int)
        /// So many bytes of the chunk are still to come. Then `dataCarriageReturn`.
        case data(Int)
        /// Then `dataLineFeed`.
        case dataCarriageReturn
        /// Then `size`.
        case dataLineFeed
        case trailers
    }

    private var state = State.size(0, digits: 0)
    private var trailers = HTTP1FieldBlock(keepsFields: false)
    private var extensionBytes = 0
    private var framingBytes = 0
    private var bodyBytes = 0

    mutating func next(
        _ buffer: inout HTTP1Buffer, limits: HTTP1Limits
    ) throws(HTTP1DecodeError) -> HTTP1BodyReader.Piece? {
        while true {
            switch state {
            case .data(let remaining):
                guard !buffer.isEmpty else { return nil }
                let bytes = buffer.take(upTo: remaining)
                state = bytes.count < remaining ? .data(remaining - bytes.count) : .dataCarriageReturn
                return .bytes(bytes)
            case .trailers:
                return try trailers.read(&buffer, limits: limits) ? .end : nil
            case .size, .extensions, .sizeLineFeed, .dataCarriageReturn, .dataLineFeed:
                guard let byte = buffer.popFirst() else { return nil }
                framingBytes += 1
                try takeFraming(byte, limits: limits)
            }
        }
    }

    private mutating func takeFraming(_ byte: UInt8, limits: HTTP1Limits) throws(HTTP1DecodeError) {
        switch state {
        case .size(let size, let digits):
            try takeSize(byte, size: size, digits: digits)
        case .extensions(let size, var form):
            if byte == .carriageReturn, form.mayEnd {
                state = .sizeLineFeed(size)
                return
            }
            extensionBytes += 1
            guard form.take(byte) else { throw HTTP1DecodeError("A chunk extension is of the wrong form.") }
            guard extensionBytes <= limits.chunkExtensions else {
                throw HTTP1DecodeError("The chunk extensions are too long.")
            }
            state = .extensions(size, form)
        case .sizeLineFeed(let size):
            guard byte == .lineFeed else { throw HTTP1DecodeError("A carriage return stands alone in a chunk's line.") }
            try begin(size, limits: limits)
        case .dataCarriageReturn:
            guard byte == .carriageReturn else { throw HTTP1DecodeError("A chunk is longer than it said.") }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == .lineFeed else { throw HTTP1DecodeError("A chunk does not end with CR LF.") }
            state = .size(0, digits: 0)
        case .data, .trailers: break
        }
    }

    /// At most 16 hex digits, and a number that fits `Int`.
    private mutating func takeSize(_ byte: UInt8, size: Int, digits: Int) throws(HTTP1DecodeError) {
        if let digit = byte.hexDigitValue {
            guard digits < 16, size <= Int.max >> 4 else { throw HTTP1DecodeError("A chunk size is too large.") }
            state = .size(size << 4 | Int(digit), digits: digits + 1)
        } else if digits > 0, byte == .carriageReturn {
            state = .sizeLineFeed(size)
        } else if digits > 0, byte == UInt8(ascii: ";") {
            extensionBytes += 1
            state = .extensions(size, HTTP1ChunkExtension())
        } else {
            throw HTTP1DecodeError("A chunk size is no hexadecimal number.")
        }
    }

    private mutating func begin(_ size: Int, limits: HTTP1Limits) throws(HTTP1DecodeError) {
        let (total, overflow) = bodyBytes.addingReportingOverflow(size)
        guard !overflow else { throw HTTP1DecodeError("A chunk size is too large.") }
        bodyBytes = total
        guard framingBytes <= 1024 || framingBytes / limits.chunkOverhead <= total else {
            throw HTTP1DecodeError("The chunks are too small for what they cost.")
        }
        state = size == 0 ? .trailers : .data(size)
    }
}
