import Core
import Testing

struct CoolDownTests {
    private static func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: (1_000 + seconds) * 1_000_000_000) }

    private static func id(_ number: Int) -> AskID { AskID(randomBytes: [UInt8](repeating: UInt8(number), count: 16)) }

    /// Refusals at these seconds, the forgiven ones by their places.
    private static func coolDown(_ seconds: [Int64], forgiven: [Int] = []) -> CoolDown {
        var coolDown = CoolDown()
        for (index, second) in seconds.enumerated() { coolDown.refuse(id(index), at: at(second)) }
        for index in forgiven { coolDown.forgive(id(index)) }
        return coolDown
    }

    @Test(arguments: [[], [0], [0, 0], [0, 30, 61], [0, 61, 62]])
    func `fewer than three within a minute is no matter`(_ seconds: [Int64]) {
        #expect(Self.coolDown(seconds).remaining(at: Self.at(70)) == nil)
    }

    @Test func `AP-16 the third refusal within a minute begins a pause of five minutes`() {
        let coolDown = Self.coolDown([0, 30, 60])
        #expect(coolDown.remaining(at: Self.at(60)) == .seconds(300))
        #expect(coolDown.remaining(at: Self.at(359)) == .seconds(1))
        #expect(coolDown.remaining(at: Self.at(360)) == nil)
    }

    @Test func `another refusal in the pause makes it longer, when there are three within a minute again`() {
        #expect(Self.coolDown([0, 10, 20, 50]).remaining(at: Self.at(50)) == .seconds(300))
        #expect(Self.coolDown([0, 10, 20, 90]).remaining(at: Self.at(90)) == .seconds(230))
    }

    @Test(arguments: 0..<3)
    func `AP-16 to forgive any of them lifts it`(_ index: Int) {
        #expect(Self.coolDown([0, 10, 20], forgiven: [index]).remaining(at: Self.at(30)) == nil)
    }

    @Test func `to forgive one of an earlier run does not lift a later one`() {
        #expect(Self.coolDown([0, 100, 110, 120], forgiven: [0]).remaining(at: Self.at(120)) == .seconds(300))
        #expect(Self.coolDown([0, 100, 110, 120], forgiven: [2]).remaining(at: Self.at(120)) == nil)
    }

    @Test func `to forgive what is not counted changes nothing, and twice is once`() {
        var coolDown = Self.coolDown([0, 10, 20])
        coolDown.forgive(Self.id(9))
        #expect(coolDown.remaining(at: Self.at(20)) != nil)
        coolDown.forgive(Self.id(1))
        coolDown.forgive(Self.id(1))
        #expect(coolDown == Self.coolDown([0, 10, 20], forgiven: [1]))
    }

    @Test func `refusals that are too old to count are not kept`() {
        var coolDown = Self.coolDown([0, 1])
        coolDown.refuse(Self.id(2), at: Self.at(500))
        var alone = CoolDown()
        alone.refuse(Self.id(2), at: Self.at(500))
        #expect(coolDown == alone)
    }
}
