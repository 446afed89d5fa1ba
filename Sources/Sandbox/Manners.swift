import Core

/// How rude the sandbox is: a percentage for each manner, and the dice that decide each time.
struct Manners: Hashable, Sendable {
    private(set) var dice: Dice
    /// What stretches delays and lags; tests take a small one.
    private(set) var delayScale: Double
    private var percents: [Manner: Int]
    /// Calls of the API so far.
    private var turns: UInt64 = 0

    /// Polite, but for what is asked for later.
    init(seed: UInt64 = 0, delayScale: Double = 1) {
        dice = Dice(seed: seed)
        self.delayScale = delayScale
        percents = [:]
    }

    static func rude(seed: UInt64, delayScale: Double = 1) -> Manners {
        var manners = Manners(seed: seed, delayScale: delayScale)
        manners.beUsual()
        return manners
    }

    mutating func beUsual() {
        for manner in Manner.allCases { percents[manner] = manner.usualPercent }
    }

    mutating func bePolite() { percents = [:] }

    func percent(_ manner: Manner) -> Int { percents[manner] ?? 0 }
    mutating func set(_ manner: Manner, percent: Int) { percents[manner] = percent }
    mutating func stretchDelays(by factor: Double) { delayScale = factor }
    mutating func reseed(_ seed: UInt64) {
        dice = Dice(seed: seed)
        turns = 0
    }

    /// What is in store for the next call. One manner's percentage changes nothing of what the others do.
    mutating func nextTurn() -> Turn {
        defer { turns += 1 }
        return Turn(number: turns, manners: self)
    }

    fileprivate func strikes(_ manner: Manner, turn: UInt64) -> Bool {
        let percent = self.percent(manner)
        return percent > 0 && dice.roll(turn: turn, purpose: manner.purpose, in: 0...99) < percent
    }

    /// Seconds between the clock and `Date`: one number for as long as the seed is the same.
    var dateOffset: Int64 {
        guard percent(.dateOff) > 0 else { return 0 }
        return dice.roll(turn: 0, purpose: Purpose.dateOffset, in: -200...200)
    }

    var json: JSON {
        [
            "seed": .string(String(dice.seed)), "delay_scale": .string("\(delayScale)"),
            "date_offset_seconds": .integer(dateOffset),
            "manners": .object(Manner.allCases.map { .init($0.rawValue, .integer(Int64(percent($0)))) }),
        ]
    }

    enum Purpose {
        static let dateOffset: UInt64 = 1000
        static let delay: UInt64 = 1001
        static let retryAfter: UInt64 = 1002
        static let idle: UInt64 = 1003
        static let order: UInt64 = 2000
    }
}

extension Manner {
    fileprivate var purpose: UInt64 {
        // The order of the cases: a new one goes to the end, so that an old seed keeps its meaning.
        UInt64(Manner.allCases.firstIndex(of: self) ?? 0)
    }
}

/// One call's share of rudeness.
struct Turn: Hashable, Sendable {
    let number: UInt64
    private let manners: Manners

    init(number: UInt64, manners: Manners) {
        self.number = number
        self.manners = manners
    }

    static let polite = Turn(number: 0, manners: Manners())

    func strikes(_ manner: Manner) -> Bool { manners.strikes(manner, turn: number) }

    /// 1 to 15 seconds, scaled.
    var delay: Duration {
        .milliseconds(roll(Manners.Purpose.delay, in: 1000...15_000)) * manners.delayScale
    }

    /// 3 seconds, scaled.
    var lag: Duration { .seconds(3) * manners.delayScale }

    /// 1 to 30 seconds, scaled, and at least one.
    var retryAfter: Int64 {
        max(1, Int64(Double(roll(Manners.Purpose.retryAfter, in: 1...30)) * manners.delayScale))
    }

    /// Up to 5 seconds.
    var idle: Duration { .milliseconds(roll(Manners.Purpose.idle, in: 0...5000)) }

    func roll(_ purpose: UInt64, in range: ClosedRange<Int64>) -> Int64 {
        manners.dice.roll(turn: number, purpose: purpose, in: range)
    }
}
