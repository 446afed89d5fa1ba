import Foundation
import Testing

/// The variable that orders a death, as a debug build obeys it. That a release build does not is checked by
/// `scripts/check-release`.
@Suite(.timeLimit(.minutes(3))) struct FaultPointTests {
    @Test func `a point that is told to kill does it, and leaves nothing behind`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        await stage.gateway.end()
        let killed = try Running(
            "env", ["COUNTERSIGN_FAULT=policy.parsed:kill", "countersign", "serve"], in: stage.home)
        #expect(await killed.finished().status == -SIGKILL)
        let again = try await stage.serveAgain()
        await again.end()
        await stage.end()
    }

    @Test func `a point that is told to throw is a failure that the program can have by itself`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        await stage.gateway.end()
        let failed = try Running(
            "env", ["COUNTERSIGN_FAULT=policy.parsed:throw", "countersign", "serve"], in: stage.home)
        #expect(await failed.finished().status == 7)
        await stage.end()
    }

    @Test func `a plan that cannot be read is a mistake on the command line`() async throws {
        let home = try Home()
        let refused = try Running(
            "env", ["COUNTERSIGN_FAULT=refresh.sent:explode", "countersign", "version"], in: home)
        #expect(await refused.finished().status == 2)
    }
}
