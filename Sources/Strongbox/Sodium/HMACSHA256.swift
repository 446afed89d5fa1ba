import CSodium

/// HMAC-SHA256 (RFC 2104), fed piece by piece; its state lies in locked memory.
struct HMACSHA256: ~Copyable {
    static let digestCount = Int(crypto_auth_hmacsha256_BYTES)
    private var state: LockedMemory

    init(key: RawSpan) {
        state = LockedMemory(count: crypto_auth_hmacsha256_statebytes())
        key.withUnsafeBytes { key in
            state.withMutableBytes { bytes in
                Self.use(bytes) { state in
                    // An empty key is allowed, a null pointer is not.
                    let start = key.bindMemory(to: UInt8.self).baseAddress
                    _ = withUnsafePointer(to: UInt8(0)) { crypto_auth_hmacsha256_init(state, start ?? $0, key.count) }
                }
            }
        }
    }

    mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            state.withMutableBytes { buffer in
                Self.use(buffer) { _ = crypto_auth_hmacsha256_update($0, start, UInt64(bytes.count)) }
            }
        }
    }

    mutating func update(_ bytes: [UInt8]) { update(bytes.span.bytes) }

    /// The first `count` bytes of the code.
    consuming func finish(count: Int = HMACSHA256.digestCount) -> Secret {
        precondition(count <= Self.digestCount, "one HMAC has 32 bytes")
        var code = LockedMemory(count: Self.digestCount)
        state.withMutableBytes { buffer in
            code.withMutableBytes { code in
                Self.use(buffer) { _ = crypto_auth_hmacsha256_final($0, code.baseAddress!) }
            }
        }
        if count == Self.digestCount { return Secret(code) }
        return code.withBytes { Secret(copying: $0.extracting(first: count)) }
    }

    private static func use(
        _ bytes: UnsafeMutableBufferPointer<UInt8>,
        _ body: (UnsafeMutablePointer<crypto_auth_hmacsha256_state>) -> Void
    ) {
        // The memory ends at a page, and the state's size is a multiple of its alignment.
        body(UnsafeMutableRawPointer(bytes.baseAddress!).assumingMemoryBound(to: crypto_auth_hmacsha256_state.self))
    }
}
