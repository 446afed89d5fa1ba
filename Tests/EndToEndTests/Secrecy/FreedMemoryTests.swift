import Foundation
import Testing

/// The executable's allocator, which this test program is linked with, too. A sanitizer brings its own.
@Suite(.enabled(if: isUnderNoSanitizer, "a sanitizer has an allocator of its own"))
struct FreedMemoryTests {
    /// Of each test its own, and too long to come about by chance: freed memory is soon another thread's.
    private let canary = (0..<16).map { _ in UInt8.random(in: 1...255) }

    @Test(arguments: [24, 100, 1000, 5000, 60_000, 120_000])
    func `freed memory is wiped`(size: Int) throws {
        let block = try filled(size)
        #expect(canaries(at: block + 16, size - 16) > 0)
        free(block)
        // The allocator keeps its own links in the first bytes.
        #expect(canaries(at: block + 16, size - 16) == 0)
    }

    @Test(arguments: [(100, 40_000), (40_000, 100), (1000, 1010), (5000, 4000)])
    func `a block that is resized leaves nothing behind, and keeps what it holds`(from: Int, to: Int) throws {
        let block = try filled(from)
        // Stands behind the block, so that it cannot grow where it is.
        let neighbour = try filled(from)
        let resized = try #require(realloc(block, to))
        let kept = min(from, to)
        #expect((0..<kept).allSatisfy { resized.load(fromByteOffset: $0, as: UInt8.self) == canary[$0 % 16] })
        if resized == block {
            #expect(canaries(at: block + to, max(0, from - to)) == 0)
        } else {
            #expect(canaries(at: block + 16, from - 16) == 0)
        }
        free(resized)
        free(neighbour)
    }

    @Test func `what was asked for holds: zeroes, alignment, refusal`() throws {
        let zeroes = try #require(calloc(100, 10))
        #expect((0..<1000).allSatisfy { zeroes.load(fromByteOffset: $0, as: UInt8.self) == 0 })
        free(zeroes)
        for alignment in [16, 64, 4096] {
            var aligned: UnsafeMutableRawPointer?
            #expect(posix_memalign(&aligned, alignment, 100) == 0)
            #expect(Int(bitPattern: aligned) % alignment == 0)
            free(aligned)
            let other = try #require(aligned_alloc(alignment, alignment * 2))
            #expect(Int(bitPattern: other) % alignment == 0)
            free(other)
        }
        var none: UnsafeMutableRawPointer?
        #expect(posix_memalign(&none, 3, 100) == EINVAL)
        #expect(reallocarray(nil, Int.max, 4) == nil)
        #expect(realloc(malloc(10), 0) == nil)
        free(nil)
    }

    @Test func `an array and a string are wiped when they go`() throws {
        var places: [(UnsafeRawPointer, Int)] = []
        do {
            let bytes = (0..<3000).map { canary[$0 % 16] }
            bytes.withUnsafeBytes { places.append(($0.baseAddress!, $0.count)) }
        }
        for (place, count) in places { #expect(canaries(at: place, count) == 0) }
    }

    private func filled(_ size: Int) throws -> UnsafeMutableRawPointer {
        let block = try #require(malloc(size))
        for offset in 0..<size { block.storeBytes(of: canary[offset % 16], toByteOffset: offset, as: UInt8.self) }
        return block
    }

    /// How often the canary's first half stands there. Looks at memory that may be free: this is what the test is about.
    private func canaries(at place: UnsafeRawPointer, _ count: Int) -> Int {
        (0..<max(0, count - 7)).count { offset in
            (0..<8).allSatisfy { place.load(fromByteOffset: offset + $0, as: UInt8.self) == canary[$0] }
        }
    }
}

private let isUnderNoSanitizer = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
