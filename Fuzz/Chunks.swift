/// A chunked body is read the same whichever way it comes, as another reader would, and again as the same when it is
/// written again. Nothing behind its end is touched.
func checkChunks(_ bytes: [UInt8]) {
    for limits in [HTTP1Limits.standard, .tight] {
        let whole = Cost.bounded { readChunks(bytes, limits: limits) }
        for way in waysToCome(bytes) {
            require(readChunks(bytes, in: way, limits: limits) == whole, "in \(way.count) pieces it reads otherwise")
        }
    }
    let whole = readChunks(bytes, limits: .standard)
    guard case .ended(let left) = whole.end else { return }
    require(naively(bytes[...]) == whole, "another reader finds another body")

    var dice = Dice(bytes)
    var encoded: [UInt8] = []
    for piece in dice.split(whole.body.count) { encoded += HTTP1Encoder.chunk(Array(whole.body[piece])) }
    encoded += HTTP1Encoder.lastChunk + [UInt8](repeating: 0, count: left)
    require(readChunks(encoded, limits: .wide) == whole, "what is written again is read otherwise")
}

private struct Chunks: Hashable {
    enum End: Hashable {
        /// So many bytes are left behind the body.
        case ended(left: Int)
        case waiting
        case refused(HTTP1DecodeError)
    }

    var body: [UInt8] = []
    var end = End.waiting
}

private func readChunks(_ bytes: [UInt8], in pieces: [Range<Int>]? = nil, limits: HTTP1Limits) -> Chunks {
    var reader = HTTP1BodyReader(.chunked)
    var buffer = HTTP1Buffer()
    var chunks = Chunks()
    do throws(HTTP1DecodeError) {
        for piece in pieces ?? [bytes.indices] {
            buffer.append(bytes.span.extracting(piece))
            reading: while true {
                switch try reader.next(&buffer, limits: limits, isClosed: false) {
                case nil: break reading
                case .bytes(let bytes): chunks.body += bytes
                case .end:
                    chunks.end = .ended(left: buffer.count)
                    break reading
                }
            }
        }
    } catch {
        chunks.end = .refused(error)
    }
    return chunks
}

/// For bodies that were accepted: what cannot stand there is not looked for.
private func naively(_ bytes: ArraySlice<UInt8>) -> Chunks {
    var chunks = Chunks()
    var rest = bytes
    func line() -> ArraySlice<UInt8> {
        var end = rest.startIndex
        while Array(rest[end...].prefix(2)) != [13, 10] {
            require(end < rest.endIndex, "a line has no end")
            end += 1
        }
        defer { rest = rest[(end + 2)...] }
        return rest[..<end]
    }
    while true {
        let digits = line().prefix { $0 != UInt8(ascii: ";") }
        let size = require(Int(String(decoding: digits, as: UTF8.self), radix: 16), "a size is no number")
        if size == 0 { break }
        chunks.body += rest.prefix(size)
        rest = rest.dropFirst(size)
        require(line().isEmpty, "something follows a chunk")
    }
    while !line().isEmpty {}
    chunks.end = .ended(left: rest.count)
    return chunks
}
