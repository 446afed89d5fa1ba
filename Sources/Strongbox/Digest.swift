/// SHA-256 (FIPS 180-4), by OpenSSL.
package enum SHA256 {
    /// 32 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] { fatalError() }
    package static func digest(_ bytes: RawSpan) -> [UInt8] { fatalError() }
    /// 64 lower-case hex digits.
    package static func hex(_ bytes: [UInt8]) -> String { fatalError() }
}

/// The kernel's random number generator.
package enum Randomness {
    package static func bytes(_ count: Int) -> [UInt8] { fatalError() }
}

/// Comparison that takes the same time wherever the difference is.
package enum ConstantTime {
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool { fatalError() }
}
