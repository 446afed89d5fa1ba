import CSodium

/// The kernel's random number generator (`getrandom`); no state of ours, so a fork or a snapshot repeats nothing.
package enum Randomness {
    package static func bytes(_ count: Int) -> [UInt8] {
        Sodium.prepare()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            initialised = count
        }
    }

    static func fill(_ memory: inout LockedMemory) {
        memory.withMutableBytes { bytes in
            if let start = bytes.baseAddress { randombytes_buf(start, bytes.count) }
        }
    }
}
