import Core
import Foundation
import Testing

/// Lives of a gateway that end at one fault point, each followed by one that is looked at.
struct KillRound: Sendable {
    let scene: CrashScene
    let point: FaultPoint
    let figures: KillFigures

    static func run(_ point: FaultPoint, lives: Int, into figures: KillFigures) async throws {
        let scene = try await CrashScene(person: "after=0s")
        let round = KillRound(scene: scene, point: point, figures: figures)
        switch point {
        case .policyParsed: try await round.killStarts(lives, fresh: false)
        case .migrationStep: try await round.killStarts(lives, fresh: true)
        case .databaseCheckpoint, .refreshMarkerWritten, .refreshSent, .refreshAnswered, .refreshStored:
            try await round.killRefreshes(lives)
        case .requestIntentWritten, .requestSubmitted, .requestAnswered, .requestStored:
            try await round.killRequests(lives)
        case .draftCreated: try await round.killDrafts(lives)
        case .resultFetched, .resultOpened, .resultDelivered: try await round.killResults(lives)
        }
        await scene.end()
    }

    private func fault(_ turn: Int = 1) -> String { "COUNTERSIGN_FAULT=\(point.rawValue):kill:\(turn)" }

    private func note(_ change: (inout KillFigures.Line) -> Void) { figures.add(point.rawValue, change) }

    private static func wish(_ name: String) -> String {
        #"{"op":"pick_item","hint":{"url":"https://\#(name).example.com"},"reason":"crash"}"#
    }

    /// After every kill.
    private func look(at life: CrashScene.Life) async throws {
        let integrity = try scene.integrity()
        #expect(integrity == "ok")
        let reuses = try await scene.reuses()
        #expect(reuses == 0)
        let ready = await life.caller.send(.get, "/readyz")
        #expect(ready?.json?["store"]?.string == "ok")
        note { line in
            line.kills += 1
            line.damaged += integrity == "ok" ? 0 : 1
            line.reuses = max(line.reuses, reuses)
        }
    }

    // MARK: Starts

    private func killStarts(_ lives: Int, fresh: Bool) async throws {
        for _ in 0..<lives {
            if fresh { try? FileManager.default.removeItem(atPath: scene.home.state) }
            let killed = try scene.launch(fault())
            #expect(await killed.finished().status == -SIGKILL)
            let life = try await scene.start()
            try await look(at: life)
            #expect(try await scene.authorize())
            #expect(await life.end() == 0)
        }
    }

    // MARK: Refreshes

    private func killRefreshes(_ lives: Int) async throws {
        let first = try await scene.start()
        try await scene.authorize()
        _ = await first.end()
        var survives = false
        for number in 0..<lives {
            if number > 0, !survives {
                let life = try await scene.start()
                #expect(try await scene.authorize())
                #expect(await life.end() == 0)
            }
            try await scene.control("access-tokens/expire")
            let before = try await scene.refreshes()
            // A checkpoint follows each refresh: before it and after it.
            let life = try await scene.start(fault(point == .databaseCheckpoint ? 1 + number % 2 : 1))
            let wish = Self.wish("w\(number)")
            #expect(await life.caller.send(.post, "/v1/requests", wish, wait: 0) == nil)
            await life.hasBeenKilled()

            let next = try await scene.start()
            try await look(at: next)
            let answer = try #require(await next.caller.send(.post, "/v1/requests", wish, wait: 0))
            switch point {
            case .refreshStored, .databaseCheckpoint:
                // The new tokens were durable: it goes on as if nothing had been. The ask that died with its process may
                // have been written down: it is not asked anew.
                survives = true
                #expect([200, 202].contains(answer.status), "\(answer.status)")
            default:
                survives = false
                #expect(answer.error == "refresh_unknown" || answer.error == "outcome_unknown", "\(answer.status)")
            }
            let offered = try await scene.refreshes() - before
            #expect(offered <= 1, "the refresh token was offered \(offered) times")
            note { $0.unknown += survives ? 0 : 1 }
            #expect(await next.end() == 0)
        }
    }

    // MARK: Requests

    private func killRequests(_ lives: Int) async throws {
        var acknowledged: [String: String] = [:]
        for number in 0..<lives {
            let life = try await scene.start(fault(1 + number % 3))
            if number == 0 { try await scene.authorize() }
            let wishes = (0..<3).map { "w\(number)-\($0)" }
            let ids = await withTaskGroup(of: (String, String?).self) { group in
                for wish in wishes {
                    group.addTask {
                        (wish, await life.caller.send(.post, "/v1/requests", Self.wish(wish), wait: 0)?.id)
                    }
                }
                return await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
            }
            await life.hasBeenKilled()
            acknowledged.merge(ids) { $1 }

            let next = try await scene.start()
            try await look(at: next)
            for wish in wishes {
                // As a client does whose connection broke: once more.
                let again = try #require(await next.caller.send(.post, "/v1/requests", Self.wish(wish), wait: 0))
                #expect([200, 202].contains(again.status), "\(again.status) \(again.error ?? "")")
                if let id = acknowledged[wish] { #expect(again.id == id) }
                if again.error == "outcome_unknown" { note { $0.unknown += 1 } }
            }
            #expect(await next.end() == 0)
        }
        try await countCards(acknowledged, wishes: lives * 3)
    }

    /// Every ask whose id somebody had is there, under its id, and ends with its result or an error that says why not.
    private func countCards(
        _ acknowledged: [String: String], _ before: Set<String> = [], wishes: Int
    ) async throws {
        let cards = try await scene.cards()
        #expect(cards.values.allSatisfy { $0 == 1 }, "\(cards.filter { $0.value > 1 })")
        let life = try await scene.start()
        let delivered = await withTaskGroup(of: String?.self) { group in
            for (wish, id) in acknowledged {
                group.addTask {
                    let reply = await life.caller.send(.get, "/v1/requests/\(id)", wait: 10)
                    #expect(reply?.id == id, "\(wish): \(reply?.status ?? 0)")
                    #expect(reply?.state == "completed", "\(wish): \(reply?.state ?? "") \(reply?.error ?? "")")
                    return reply?.hasRecord == true ? wish : nil
                }
            }
            return await group.reduce(into: before) { if let wish = $1 { $0.insert(wish) } }
        }
        #expect(delivered.count == acknowledged.count)
        _ = await life.end()
        note { line in
            line.wishes += wishes
            line.cards += cards.values.reduce(0, +)
            line.mostCardsOfAWish = max(line.mostCardsOfAWish, cards.values.max() ?? 0)
            line.delivered += delivered.count
        }
    }

    // MARK: Drafts

    /// The patch dies with its process: the ask says so, and only the next wish makes a card.
    private func killDrafts(_ lives: Int) async throws {
        var completed = 0
        for number in 0..<lives {
            let wish = """
                {"op":"update_item","vault_id":"v_personal","item_id":"it_bank","patch":{"password":"p\(number)"},"reason":"w\(number)"}
                """
            let life = try await scene.start(fault())
            if number == 0 { try await scene.authorize() }
            #expect(await life.caller.send(.post, "/v1/requests", wish, wait: 5) == nil)
            await life.hasBeenKilled()
            let next = try await scene.start()
            try await look(at: next)
            let newest = await next.caller.send(.get, "/v1/requests?limit=1")?.json?["requests"]?.elements.first
            let lost = try #require(newest?["id"]?.string)
            let ended = await next.caller.send(.get, "/v1/requests/\(lost)", wait: 20)
            #expect(ended?.error == "draft_lost", "\(ended?.state ?? "") \(ended?.error ?? "")")
            let again = await next.caller.send(.post, "/v1/requests", wish, wait: 20)
            #expect(again?.state == "completed", "\(again?.status ?? 0) \(again?.error ?? "")")
            #expect(again?.id != lost)
            completed += again?.state == "completed" ? 1 : 0
            #expect(await next.end() == 0)
        }
        let cards = try await scene.updates()
        #expect(cards.count == lives)
        #expect(cards.values.allSatisfy { $0 == 1 }, "\(cards.filter { $0.value > 1 })")
        note { line in
            line.wishes += lives
            line.cards += cards.values.reduce(0, +)
            line.mostCardsOfAWish = max(line.mostCardsOfAWish, cards.values.max() ?? 0)
            line.delivered += completed
        }
    }

    // MARK: Results

    private func killResults(_ lives: Int) async throws {
        var acknowledged: [String: String] = [:]
        var delivered: Set<String> = []
        for number in 0..<lives {
            let life = try await scene.start(fault(1 + number % 2))
            if number == 0 { try await scene.authorize() }
            let wishes = (0..<2).map { "w\(number)-\($0)" }
            for wish in wishes {
                let begun = await life.caller.send(.post, "/v1/requests", Self.wish(wish), wait: 0)
                acknowledged[wish] = try #require(begun?.id)
            }
            // What was delivered before the kill is not handed out again by itself.
            let received = await withTaskGroup(of: (String, Bool).self) { group in
                for wish in wishes {
                    guard let id = acknowledged[wish] else { continue }
                    group.addTask {
                        (wish, await life.caller.send(.get, "/v1/requests/\(id)", wait: 20)?.hasRecord == true)
                    }
                }
                return await group.reduce(into: Set<String>()) { if $1.1 { $0.insert($1.0) } }
            }
            delivered.formUnion(received)
            await life.hasBeenKilled()
            let next = try await scene.start()
            try await look(at: next)
            #expect(await next.end() == 0)
        }
        try await countCards(acknowledged, delivered, wishes: lives * 2)
    }
}
