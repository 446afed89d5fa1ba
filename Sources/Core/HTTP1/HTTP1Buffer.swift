/// Bytes that came and are not yet used, in a queue.
///
/// Used bytes are only skipped; they are cut off once they are at least half of what is stored, so that each byte is
/// moved a bounded number of times however small the pieces are. Storage that is kept holds nothing of them: a token may
/// have been among them, and a connection can be idle for long.
struct HTTP1Buffer: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where the unused bytes begin in `bytes`.
    private(set) var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: Span<UInt8>) {
        bytes.append(addingCapacity: more.count) { output in
            for index in more.indices { output.append(more[index]) }
        }
    }

    mutating func popFirst() -> UInt8? {
        guard start < bytes.count else { return nil }
        let byte = bytes[start]
        consume(1)
        return byte
    }

    /// Takes the first `length` bytes out, or all when there are fewer.
    mutating func take(upTo length: Int) -> [UInt8] {
        if start == 0, length >= bytes.count {
            let whole = bytes
            bytes = []
            return whole
        }
        let length = min(length, count)
        let taken = Array(bytes[start..<start + length])
        consume(length)
        return taken
    }

    mutating func consume(_ length: Int) {
        start += length
        if start == bytes.count {
            let keepsStorage = bytes.capacity <= Self.keptCapacity
            if keepsStorage { wipe(from: 0) }
            bytes.removeAll(keepingCapacity: keepsStorage)
            start = 0
        } else if start >= 4096, start * 2 >= bytes.count {
            let rest = count
            for index in 0..<rest { bytes[index] = bytes[start + index] }
            wipe(from: rest)
            bytes.removeLast(start)
            start = 0
        }
    }

    private mutating func wipe(from first: Int) {
        var stored = bytes.mutableSpan
        for index in first..<stored.count { stored[index] = 0 }
    }

    /// An empty buffer keeps its storage for the next message up to this size.
    private static let keptCapacity = 64 << 10
}
