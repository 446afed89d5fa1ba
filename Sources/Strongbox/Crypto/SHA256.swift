import CCrypto
import Core

/// SHA-256 (FIPS 180-4), by OpenSSL, which uses the processor's own instructions.
package enum SHA256 {
    package static let digestCount = 32

    // Fetched once and never freed: OpenSSL's digest objects are immutable and may be shared by threads.
    nonisolated(unsafe) private static let algorithm: OpaquePointer = {
        // No configuration file is read: `OPENSSL_CONF` of the environment could name one that loads code.
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT), nil)
        guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else { fatalError("OpenSSL offers no SHA-256") }
        return algorithm
    }()

    /// 32 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes.span.bytes) }

    /// 32 bytes.
    package static func digest(_ bytes: RawSpan) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digestCount) { digest, initialised in
            let status = bytes.withUnsafeBytes {
                EVP_Digest($0.baseAddress, $0.count, digest.baseAddress, nil, algorithm, nil)
            }
            guard status == 1 else { fatalError("OpenSSL could not compute SHA-256") }
            initialised = digestCount
        }
    }

    /// 64 lower-case hex digits.
    package static func hex(_ bytes: [UInt8]) -> String { Hex.encode(digest(bytes)) }
}
