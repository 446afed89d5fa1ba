/// A token, a key or a code: locked, wiped when it goes, printed `<redacted>`, compared in constant time.
///
/// It cannot be copied, so it cannot be interpolated, dumped or reflected either: those need a copy.
package struct Secret: ~Copyable, Sendable {
    let memory: LockedMemory

    init(_ memory: consuming LockedMemory) { self.memory = memory }

    /// Copies the bytes into locked memory; the caller wipes its own copy if it can.
    package init(copying bytes: [UInt8]) { self.init(copying: bytes.span.bytes) }

    package init(copying bytes: RawSpan) {
        var memory = LockedMemory(count: bytes.byteCount)
        memory.copy(bytes, at: 0)
        self.memory = memory
    }

    /// Random bytes from the kernel.
    package init(random count: Int) {
        var memory = LockedMemory(count: count)
        Randomness.fill(&memory)
        self.memory = memory
    }

    package var count: Int { memory.count }

    /// Did the system agree to keep it out of swap?
    package var isLocked: Bool { memory.isLocked }

    package borrowing func withBytes<Result: ~Copyable>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        try memory.withBytes(body)
    }

    /// For what must stand in a request: a copy in ordinary memory. Keep its life short.
    package borrowing func exposed() -> [UInt8] { memory.copied() }

    package borrowing func duplicate() -> Secret { memory.withBytes { Secret(copying: $0) } }

    /// In constant time for equal lengths.
    package borrowing func isEqual(to other: borrowing Secret) -> Bool {
        ConstantTime.areEqual(memory, other.memory)
    }

    consuming func takeMemory() -> LockedMemory { memory }

    package var description: String { redacted }
    package var debugDescription: String { redacted }
}
