import CSodium

/// Memory for secrets: between guard pages, kept out of swap and core dumps, zeroed when it goes.
///
/// When the system refuses to lock it (`RLIMIT_MEMLOCK`), it works all the same, unlocked, and says so.
/// `@unchecked Sendable`: it has one owner, is written only before that owner shares it, and zeroed when no one reads.
struct LockedMemory: ~Copyable, @unchecked Sendable {
    let count: Int
    /// Did the system agree to keep these bytes out of swap?
    let isLocked: Bool
    private let start: UnsafeMutablePointer<UInt8>
    private let isGuarded: Bool

    /// Zeroed bytes.
    /// - Parameter lock: asks the system; a test hands in one that is refused.
    init(count: Int, lock: (UnsafeMutableRawPointer, Int) -> Bool = { sodium_mlock($0, $1) == 0 }) {
        precondition(count >= 0, "memory has no negative size")
        Sodium.prepare()
        self.count = count
        if let guarded = sodium_malloc(count) {
            start = guarded.bindMemory(to: UInt8.self, capacity: count)
            isGuarded = true
            // sodium_malloc locks too, but keeps the answer to itself.
            isLocked = lock(guarded, count)
        } else {
            start = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
            isGuarded = false
            isLocked = false
        }
        sodium_memzero(start, count)
    }

    deinit {
        if isGuarded {
            sodium_free(start)
        } else {
            sodium_memzero(start, count)
            start.deallocate()
        }
    }

    borrowing func withBytes<Result: ~Copyable>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count).bytes)
    }

    /// The bytes in ordinary memory.
    borrowing func copied() -> [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Copies bytes to an offset; they fit.
    mutating func copy(_ bytes: RawSpan, at offset: Int) {
        precondition(offset >= 0 && bytes.byteCount <= count - offset, "bytes beyond the end of a secret")
        bytes.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(start: start + offset, count: source.count).copyMemory(from: source)
        }
    }

    /// For C functions that read.
    borrowing func withPointer<Result: ~Copyable>(_ body: (UnsafePointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafePointer(start))
    }

    /// For whoever fills it, before it is shared.
    mutating func withMutableBytes<Result: ~Copyable>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try body(UnsafeMutableBufferPointer(start: start, count: count))
    }

    /// Overwrites the bytes with zeros; the owner sees to it that nobody reads meanwhile.
    borrowing func wipe() { sodium_memzero(start, count) }
}

/// Whether secrets stay out of swap.
package enum MemoryLocking {
    /// Asks the system to lock so many bytes at once, and gives them back. When it refuses (`ulimit -l`), secrets are still
    /// wiped, and kept out of core dumps.
    package static func isPossible(for count: Int) -> Bool { LockedMemory(count: count).isLocked }
}
