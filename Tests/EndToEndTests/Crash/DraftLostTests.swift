import Core
import Testing

@Suite(.timeLimit(.minutes(3))) struct DraftLostTests {
    @Test func `DB-01 a patch dies with its process: its ask is draft_lost, and the next wish makes the only card`()
        async throws
    {
        let figures = KillFigures()
        try await KillRound.run(.draftCreated, lives: 2, into: figures)
        #expect(figures.kills(at: "draft.created") == 2)
        #expect(figures.total.cards == 2)
        #expect(figures.total.mostCardsOfAWish == 1)
    }
}
