import Core
import Foundation
import Testing

/// Agents that do not take an answer: the same wish, again and again, with another reason each time.
@Suite(.timeLimit(.minutes(20))) struct InsistentAgentsTests {
    private static let agents = 10
    /// How long they go on before the person says no, and after it.
    private static let seconds = ProcessInfo.processInfo.environment["INSIST"].flatMap { Int($0) } ?? 60
    private static let secondsAfterwards =
        ProcessInfo.processInfo.environment["INSIST_AFTERWARDS"].flatMap { Int($0) } ?? 10

    private struct Tally: Sendable {
        var answers = 0
        var cut = 0
        var states: [String: Int] = [:]
        var ids: Set<String> = []
    }

    /// Asks until the time is over. A gateway that is not there is asked again.
    private static func insist(_ scene: CrashScene, until end: ContinuousClock.Instant) async throws -> Tally {
        try await withThrowingTaskGroup(of: Tally.self) { group in
            for agent in 0..<agents {
                group.addTask {
                    let caller = try HTTPCaller(port: scene.port, token: scene.token)
                    var tally = Tally()
                    while ContinuousClock.now < end {
                        let body =
                            #"{"op":"pick_item","hint":{"url":"https://bank.example.com"},"reason":"agent \#(agent), try \#(tally.answers + tally.cut)"}"#
                        guard let reply = await caller.send(.post, "/v1/requests", body, wait: 1) else {
                            tally.cut += 1
                            continue
                        }
                        tally.answers += 1
                        tally.states[reply.state ?? reply.error ?? "\(reply.status)", default: 0] += 1
                        if let id = reply.id { tally.ids.insert(id) }
                    }
                    await caller.close()
                    return tally
                }
            }
            return try await group.reduce(into: Tally()) { sum, tally in
                sum.answers += tally.answers
                sum.cut += tally.cut
                sum.states.merge(tally.states) { $0 + $1 }
                sum.ids.formUnion(tally.ids)
            }
        }
    }

    @Test func `ten agents that insist get one card, through a kill, and none once the person has said no`()
        async throws
    {
        let scene = try await CrashScene(person: "none")
        let first = try await scene.start()
        #expect(try await scene.authorize())
        let end = ContinuousClock.now + .seconds(Self.seconds)
        async let insisting = Self.insist(scene, until: end)
        // In the middle, and no sooner than there is a card.
        while try await scene.cards().isEmpty { try Task.checkCancellation() }
        try await Task.sleep(until: end - .seconds(Self.seconds) / 2, clock: .continuous)
        await first.kill()
        let second = try await scene.start()
        let before = try await insisting
        #expect(try await scene.cards() == ["https://bank.example.com": 1])
        #expect(before.ids.count == 1)
        #expect(before.answers > Self.agents && before.states["pending"] ?? 0 > 0, "\(before.states)")

        let list = try #require(await scene.sandbox.send(.get, "/_sandbox/requests")?.json?["requests"]?.elements)
        try await scene.control("requests/\(try #require(list.first?["id"]?.string))/deny")
        _ = await second.caller.send(.get, "/v1/requests/\(try #require(before.ids.first))", wait: 20)
        let after = try await Self.insist(scene, until: .now + .seconds(Self.secondsAfterwards))
        #expect(try await scene.cards() == ["https://bank.example.com": 1])
        #expect(after.ids == before.ids)
        #expect(Set(after.states.keys) == ["denied"], "\(after.states)")
        print(
            "insisting for \(Self.seconds) s: \(before.answers) answers \(before.states), \(before.cut) cut, 1 card; "
                + "\(Self.secondsAfterwards) s after the no: \(after.answers) answers, no card")
        _ = await second.end()
        await scene.end()
    }
}
