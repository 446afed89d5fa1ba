package import Core

/// A token, a key or a code: locked, wiped when it goes, printed `<redacted>`, compared in constant time.
package struct Secret: ~Copyable, Sendable {
    /// Copies the bytes into locked memory; the caller wipes its own copy if it can.
    package init(copying bytes: [UInt8]) { fatalError() }
    package init(copying bytes: RawSpan) { fatalError() }
    /// Random bytes from the kernel.
    package init(random count: Int) { fatalError() }

    package var count: Int { fatalError() }
    package borrowing func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result { fatalError() }
    /// For what must stand in a request: a copy in ordinary memory. Keep its life short.
    package borrowing func exposed() -> [UInt8] { fatalError() }
    package borrowing func duplicate() -> Secret { fatalError() }
    /// In constant time for equal lengths.
    package borrowing func isEqual(to other: borrowing Secret) -> Bool { fatalError() }
}

/// An opened box, or an answer made from one: locked memory that grows to at most 256 KiB and is wiped after use.
package final class SecretBody: SensitiveBytes {
    package init(copying bytes: RawSpan) { fatalError() }
    /// Puts an answer together: literals, and ranges of `source`, copied from locked memory to locked memory.
    package init(assembling segments: [Segment], from source: SecretBody) { fatalError() }

    package var count: Int { fatalError() }
    package func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result { fatalError() }
    package func wipe() { fatalError() }
}
