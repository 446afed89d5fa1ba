import CSodium

/// Comparison that takes the same time wherever the difference is. The lengths are no secret.
package enum ConstantTime {
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        Sodium.prepare()
        return sodium_memcmp(left, right, left.count) == 0
    }

    static func areEqual(_ left: borrowing LockedMemory, _ right: borrowing LockedMemory) -> Bool {
        guard left.count == right.count else { return false }
        let count = left.count
        return left.withPointer { first in right.withPointer { second in sodium_memcmp(first, second, count) == 0 } }
    }
}
