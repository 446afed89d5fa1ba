import Core
import Foundation
import Strongbox
import Testing

/// Random schedules against a model of the server, in search of a refresh token that is offered when it must not be.
///
/// `SCHEDULES` and `SEED` in the environment choose how many, and repeat a run. The seed decides the steps and the faults; in
/// which order tasks of one step run is the runtime's.
@Suite(.timeLimit(.minutes(10))) struct ModelCheckMatrixTests {
    @Test func `TK-21 no refresh token is offered again unless it was certainly kept, or the operator said so`()
        async throws
    {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
        let count = environment["SCHEDULES"].flatMap { Int($0) } ?? 10_000
        let workers = 2
        let begun = ContinuousClock.now
        let (tally, faults) = try await withThrowingTaskGroup(of: (Tally, [String]).self) { group in
            for worker in 0..<workers {
                group.addTask {
                    let store = try Store(.memory, keyFile: nil)
                    var tally = Tally()
                    var faults: [String] = []
                    for index in stride(from: worker, to: count, by: workers) {
                        var schedule = Schedule(seed: seed &+ UInt64(index) &* 0xD1B5_4A32_D192_ED03, over: store)
                        let found = try await schedule.run()
                        tally += found.tally
                        faults += found.faults.map { "schedule \(index): \($0)" }
                    }
                    await store.close()
                    return (tally, faults)
                }
            }
            var all = (Tally(), [String]())
            for try await part in group {
                all.0 += part.0
                all.1 += part.1
            }
            return all
        }
        print(
            """
            TK-21: seed \(seed), \(count) schedules, \(tally.steps) steps in \(ContinuousClock.now - begun): \(tally.calls) calls, \
            \(tally.offers) refresh tokens offered, \(tally.rotations) rotated, \(tally.crashes) crashes, \(tally.unknowns) times \
            the operator's word, which \(tally.words) times offered a token that might be spent and \(tally.reuses) times cost the \
            grant; \(tally.grants) grants; \(faults.count) faults
            """)
        #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(5))")
        // It looked at something.
        guard count >= 1_000 else { return }
        #expect(tally.offers > count / 2 && tally.rotations > count / 4 && tally.crashes > count / 10)
        #expect(tally.words > count / 100 && tally.reuses > 0)
    }
}
