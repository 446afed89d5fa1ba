import Core
import Foundation
import Testing

/// `revoke`, `reset`, `refresh` and what `status` says about them.
@Suite(.timeLimit(.minutes(5))) struct GrantVerbTests {
    @Test func `revoke gives the grant back once`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        let revoked = try await stage.home.countersign("revoke")
        #expect(revoked.status == 0, "\(revoked.errors)")
        #expect(revoked.output.isEmpty)
        let status = try await stage.home.countersign("status")
        #expect(status.status == 5 && status.errors.contains("hint: `countersign authorize`"), "\(status.errors)")
        let again = try await stage.home.countersign("revoke")
        #expect(again.status == 5, "\(again.errors)")
        await stage.end()
    }

    @Test func `without MimiKey's word the grant stays, unless it is forced`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        await stage.sandbox.end()
        let refused = try await stage.home.countersign("revoke")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("(revoke_unconfirmed)"), "\(refused.errors)")
        #expect(refused.errors.contains("hint: ") && refused.errors.contains("revoke --force"))
        let status = try await stage.home.countersign("status")
        #expect(status.status == 0)
        #expect(status.output.contains("upstream: unreachable"))
        #expect(status.errors.contains("hint: MimiKey did not answer the last call"), "\(status.errors)")
        #expect(try await stage.home.countersign("revoke", "--force").status == 0)
        #expect(try await stage.home.countersign("status").status == 5)
        await stage.end()
    }

    @Test func `UI-04 reset asks who sits there, and nobody else`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        let nobody = try await stage.home.countersign("reset")
        #expect(nobody.status == 2 && nobody.errors.contains("hint: `--yes`"), "\(nobody.errors)")
        let hesitant = try TerminalSession(["reset"], in: stage.home)
        try await hesitant.says("Type yes")
        try hesitant.type("y\n")
        #expect(await hesitant.finished().status == 8)
        let interrupted = try TerminalSession(["reset"], in: stage.home)
        try await interrupted.says("Type yes")
        try interrupted.type("\u{3}")
        #expect(await interrupted.finished().status == 130)
        #expect(try await stage.home.countersign("status").status == 0, "it is still there")
        let sure = try TerminalSession(["reset"], in: stage.home)
        try await sure.says("Type yes")
        try sure.type("yes\n")
        #expect(await sure.finished().status == 0)
        #expect(try await stage.home.countersign("status").status == 5)
        #expect(try await stage.home.countersign("reset", "--yes").status == 0, "it is idempotent")
        await stage.end()
    }

    @Test func `refresh fetches a token, not more often than it may`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        let refreshed = try await stage.home.countersign("refresh", "--json")
        #expect(refreshed.status == 0, "\(refreshed.errors)")
        #expect(try JSONDocument(Array(refreshed.line.utf8)).root["state"]?.string == "active")
        let again = try await stage.home.countersign("refresh")
        #expect(again.status == 6 && again.errors.contains("(too_soon)"), "\(again.errors)")
        await stage.end()
    }

    @Test func `refresh says how an unknown outcome is left`() async throws {
        let stage = try await Stage(person: "after=0s", manners: .polite)
        try await stage.control("faults", #"{"name":"close_before_answer_next","path":"/api/oauth/token"}"#)
        let lost = try await stage.home.countersign("refresh")
        #expect(lost.status == 5, "\(lost.errors)")
        let unknown = try await stage.home.countersign("refresh")
        #expect(unknown.status == 5)
        #expect(
            unknown.errors.contains("(refresh_unknown)") && unknown.errors.contains("--try-once"), "\(unknown.errors)")
        let status = try await stage.home.countersign("status")
        #expect(status.output.contains("grant: refresh_unknown"))
        #expect(status.errors.contains("hint: ") && status.errors.contains("refresh --try-once"), "\(status.errors)")
        // The sandbox had carried the refresh out, so that the token is a used one: the grant is gone.
        let tried = try await stage.home.countersign("refresh", "--try-once")
        #expect(tried.status == 5, "\(tried.errors)")
        #expect(try await stage.home.countersign("status").output.contains("grant: revoked"))
        await stage.end()
    }
}
