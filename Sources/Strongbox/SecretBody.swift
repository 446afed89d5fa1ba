package import Core
import Synchronization

/// An opened box, or an answer made from one: locked memory of at most 256 KiB, wiped after use.
///
/// A wipe while somebody reads takes effect when the last reader is done, and lets nobody else begin.
package final class SecretBody: SensitiveBytes {
    /// The largest opened box.
    package static let longest = 256 << 10

    private struct Use {
        var readers = 0
        var isWiped = false
    }

    private let memory: LockedMemory
    private let use = Mutex(Use())

    init(_ secret: consuming Secret) { memory = secret.takeMemory() }

    package convenience init(copying bytes: RawSpan) { self.init(Secret(copying: bytes)) }

    /// Puts an answer together: literals, and ranges of `source`, copied from locked memory to locked memory.
    package convenience init(assembling segments: [Segment], from source: SecretBody) {
        var memory = LockedMemory(count: segments.reduce(0) { $0 + $1.count })
        source.withBytes { memory.copy(segments, from: $0) }
        self.init(Secret(memory))
    }

    /// The same from a text that somebody else keeps, such as the body of a request.
    package convenience init(assembling segments: [Segment], from source: RawSpan) {
        var memory = LockedMemory(count: segments.reduce(0) { $0 + $1.count })
        memory.copy(segments, from: source)
        self.init(Secret(memory))
    }

    /// 0 once it was wiped.
    package var count: Int { use.withLock { $0.isWiped } ? 0 : memory.count }

    /// Lends the bytes; none once it was wiped.
    package func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        let mayRead = use.withLock { use in
            if !use.isWiped { use.readers += 1 }
            return !use.isWiped
        }
        guard mayRead else { return try body([UInt8]().span.bytes) }
        defer {
            use.withLock { use in
                use.readers -= 1
                if use.isWiped, use.readers == 0 { memory.wipe() }
            }
        }
        return try memory.withBytes(body)
    }

    package func wipe() {
        use.withLock { use in
            use.isWiped = true
            if use.readers == 0 { memory.wipe() }
        }
    }
}

extension LockedMemory {
    fileprivate mutating func copy(_ segments: [Segment], from bytes: RawSpan) {
        var offset = 0
        for segment in segments {
            switch segment {
            case .literal(let literal): copy(literal.span.bytes, at: offset)
            case .range(let range): copy(bytes.extracting(range), at: offset)
            }
            offset += segment.count
        }
    }
}

extension Segment {
    fileprivate var count: Int {
        switch self {
        case .literal(let bytes): bytes.count
        case .range(let range): range.count
        }
    }
}
