/// The numbers that decide on manners: the same seed, turn and purpose give the same number. For mischief only; nothing that
/// must not be guessed is ever made of them.
struct Dice: Hashable, Sendable {
    let seed: UInt64

    /// SplitMix64, over the three.
    func roll(turn: UInt64, purpose: UInt64) -> UInt64 {
        var state = seed &+ (turn &+ 1) &* 0x9E37_79B9_7F4A_7C15 &+ (purpose &+ 1) &* 0xD1B5_4A32_D192_ED03
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        return state ^ (state >> 31)
    }

    func roll(turn: UInt64, purpose: UInt64, in range: ClosedRange<Int64>) -> Int64 {
        let count = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int64(roll(turn: turn, purpose: purpose) % count)
    }
}
