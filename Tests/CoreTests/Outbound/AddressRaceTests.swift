import Core
import Testing

struct AddressRaceTests {
    private let begin = Instant(nanoseconds: 0)
    private let four = (1...3).map { IPAddress.v4([127, 0, 0, $0]) }
    private let six = (1...3).map { IPAddress.v6([UInt8](repeating: 0, count: 15) + [$0]) }

    /// The order in which addresses are tried when each fails at once.
    private func order(_ addresses: [IPAddress]) -> [IPAddress] {
        var race = AddressRace(addresses)
        var order: [IPAddress] = []
        while case .dial(let address) = race.step(at: begin) {
            order.append(address)
            race.attemptFailed()
        }
        return order
    }

    @Test func `the families take turns, and the first address comes first`() {
        #expect(order(six + four) == [six[0], four[0], six[1], four[1], six[2], four[2]])
        #expect(order(four + six) == [four[0], six[0], four[1], six[1], four[2], six[2]])
        #expect(order([four[0], six[0], six[1], six[2]]) == [four[0], six[0], six[1], six[2]])
        #expect(order(four) == four)
    }

    @Test func `a next attempt waits a quarter of a second`() {
        var race = AddressRace([six[0], four[0]])
        #expect(race.step(at: begin) == .dial(six[0]))
        #expect(race.step(at: begin) == .wait(until: begin + .milliseconds(250)))
        #expect(race.step(at: begin + .milliseconds(249)) == .wait(until: begin + .milliseconds(250)))
        #expect(race.step(at: begin + .milliseconds(250)) == .dial(four[0]))
        #expect(race.step(at: begin + .seconds(9)) == .wait(until: nil))
    }

    @Test func `a failure lets the next attempt begin at once`() {
        var race = AddressRace([six[0], four[0], six[1]])
        #expect(race.step(at: begin) == .dial(six[0]))
        race.attemptFailed()
        #expect(race.step(at: begin + .milliseconds(1)) == .dial(four[0]))
        #expect(race.step(at: begin + .milliseconds(2)) == .wait(until: begin + .milliseconds(251)))
    }

    @Test func `it is lost when the last attempt has failed, and not before`() {
        var race = AddressRace([six[0], four[0]])
        #expect(race.step(at: begin) == .dial(six[0]))
        #expect(race.step(at: begin + .seconds(1)) == .dial(four[0]))
        race.attemptFailed()
        #expect(race.step(at: begin + .seconds(1)) == .wait(until: nil))
        race.attemptFailed()
        #expect(race.step(at: begin + .seconds(1)) == .lost)
    }

    @Test func `eight addresses are tried at most`() {
        let many = (1...100).map { IPAddress.v4([127, 0, 0, $0]) }
        #expect(order(many) == Array(many.prefix(8)))
    }
}
