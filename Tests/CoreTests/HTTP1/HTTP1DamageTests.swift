import Core
import TestSupport
import Testing

/// Bytes that nobody wrote on purpose. The numbers come from a fixed seed.
struct HTTP1DamageTests {
    /// SplitMix64.
    private struct Dice {
        var state: UInt64

        mutating func roll() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }

        mutating func roll(below bound: Int) -> Int { Int(roll() % UInt64(bound)) }
    }

    private static let likely = Array("\r\n\t :;,=%/0aF\0\u{0B}".utf8) + [0x80, 0xFF]

    @Test func `H1-44 damaged vectors read the same whole and byte by byte`() {
        var dice = Dice(state: 0x5EED)
        for vector in HTTP1Vector.all where !vector.bytes.isEmpty {
            for _ in 0..<20 {
                var bytes = vector.bytes
                for _ in 0...dice.roll(below: 3) {
                    let place = dice.roll(below: bytes.count)
                    switch dice.roll(below: 3) {
                    case 0: bytes[place] = Self.likely[dice.roll(below: Self.likely.count)]
                    case 1: bytes.insert(Self.likely[dice.roll(below: Self.likely.count)], at: place)
                    default: if bytes.count > 1 { bytes.remove(at: place) }
                    }
                }
                let whole = vector.outcome([bytes[...]])
                let split = vector.outcome(bytes.indices.map { bytes[$0...$0] })
                #expect(split == whole, "\(vector.name): \(EscapedBytes.escape(bytes))")
            }
        }
    }

    @Test func `H1-43 a mebibyte of noise is refused and not kept`() {
        var dice = Dice(state: 0xBAD)
        let noise = (0..<(1 << 20)).map { _ in UInt8(truncatingIfNeeded: dice.roll()) }
        var decoder = HTTP1RequestDecoder()
        decoder.append(noise.span)
        let error = #expect(throws: HTTP1DecodeError.self) { try decoder.next() }
        #expect(error?.status == 400)
        #expect(decoder.bufferedCount == 0)
    }
}
