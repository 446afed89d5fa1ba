import Core
import Foundation
import Testing

/// The gateway is killed, again and again, wherever it hurts. `KILLS` says how often at each point.
@Suite(.timeLimit(.minutes(60))) struct KillMatrixTests {
    private static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 20
    /// Gateways at one time.
    private static let width = 6

    @Test
    func `DB-01 after a kill at any point the database is whole, nothing acknowledged is lost, and no card is doubled`()
        async throws
    {
        let figures = KillFigures()
        // Results take a second each, for MimiKey is not asked more often: those are shared out more finely.
        let rounds = FaultPoint.allCases.flatMap { point -> [(FaultPoint, Int)] in
            let most = point.rawValue.hasPrefix("result.") ? 5 : 10
            return stride(from: 0, to: Self.kills, by: most).map { (point, min(most, Self.kills - $0)) }
        }.sorted { $0.0.rawValue > $1.0.rawValue }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, (point, lives)) in rounds.enumerated() {
                if number >= Self.width { try await group.next() }
                group.addTask { try await KillRound.run(point, lives: lives, into: figures) }
            }
            try await group.waitForAll()
        }
        print(figures.table)
        for point in FaultPoint.allCases { #expect(figures.kills(at: point.rawValue) == Self.kills, "\(point)") }
        #expect(figures.total.reuses == 0)
        #expect(figures.total.damaged == 0)
        #expect(figures.total.mostCardsOfAWish == 1)
    }

    @Test func `DB-01 a kill at any time, with callers and refreshes under way, loses nothing that was acknowledged`()
        async throws
    {
        let scene = try await CrashScene(person: "after=0s")
        let first = try await scene.start()
        #expect(try await scene.authorize())
        _ = await first.end()
        var acknowledged: [String: String] = [:]
        var unknown = 0
        for round in 0..<max(8, Self.kills / 2) {
            let life = try await scene.start()
            if round % 3 == 2 { try await scene.control("access-tokens/expire") }
            let delay = Duration.milliseconds(Int.random(in: 0..<400))
            let killing = Task {
                try? await Task.sleep(for: delay); await life.kill()
            }
            let replies = await withTaskGroup(of: (String, String?).self) { group in
                for number in 0..<6 {
                    let wish = "r\(round)-\(number)"
                    group.addTask {
                        let body = #"{"op":"pick_item","hint":{"url":"https://\#(wish).example.com"}}"#
                        return (wish, await life.caller.send(.post, "/v1/requests", body, wait: 0)?.id)
                    }
                }
                return await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
            }
            acknowledged.merge(replies) { $1 }
            await killing.value
            #expect(try scene.integrity() == "ok", "after \(delay)")
            let next = try await scene.start()
            #expect(try await scene.reuses() == 0)
            let status = await next.caller.send(.get, "/readyz")?.json?["grant"]?.string
            if status == "refresh_unknown" {
                unknown += 1
                // A new grant ends what was asked under the old one.
                #expect(try await scene.authorize())
                acknowledged = [:]
            }
            for (wish, id) in acknowledged {
                let found = await next.caller.send(.get, "/v1/requests/\(id)")
                #expect(found?.id == id, "\(wish) after \(delay)")
            }
            #expect(await next.end() == 0)
        }
        let cards = try await scene.cards()
        #expect(cards.values.allSatisfy { $0 == 1 })
        print(
            "kills at any time: \(cards.count) cards, \(acknowledged.count) asks kept, \(unknown) unknown refreshes"
        )
        await scene.end()
    }
}
