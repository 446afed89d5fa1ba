import Core
import Foundation
import Strongbox
import TestSupport
import Testing

@testable import MimiKey

/// A gateway that runs on a copy of the state.
struct CopiedStateTests {
    /// A house whose grant lies in a directory, and another process on a copy of it.
    private func copied(_ body: (_ original: House, _ copy: House) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "copied-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: root) }
        let original = try House(store: Store(.directory(root + "/state"), keyFile: root + "/key"))
        try await original.authorize()
        try FileManager.default.copyItem(atPath: root + "/state", toPath: root + "/copy")
        let copy = original.beside(try Store(.directory(root + "/copy"), keyFile: root + "/key"))
        try await copy.client.start()
        try await body(original, copy)
        await original.store.close()
        await copy.store.close()
    }

    @Test func `TK-20 a copy offers no refresh token by itself, says why, and the original goes on`() async throws {
        try await copied { original, copy in
            #expect(await copy.client.grantStatus().state == .refreshUnknown)
            #expect(await copy.client.grantStatus().unknownCause == .stateCopied)
            #expect(copy.log.count(.warning) == 1)
            #expect(copy.log.text.contains("copied or restored"))
            _ = try await copy.ask()
            original.outliveAccessToken()
            _ = try await original.ask()
            let problem = await copy.problem { try await copy.ask() }
            #expect(problem?.code == .refreshUnknown)
            #expect(problem?.detail.contains("copied or restored") == true)
            #expect(problem?.detail.contains("countersign refresh --try-once") == true)
            #expect(original.fake.refreshes == 1)
            #expect(await original.client.grantStatus().state == .active)
        }
    }

    @Test func `TK-20 where the original is gone the operator's word settles it, once`() async throws {
        try await copied { _, copy in
            #expect(await copy.problem { try await copy.client.refreshNow(tryOnce: false) }?.code == .refreshUnknown)
            #expect(try await copy.client.refreshNow(tryOnce: true).state == .active)
            let restarted = copy.beside(copy.store)
            try await restarted.client.start()
            #expect(await restarted.client.grantStatus().state == .active)
            #expect(restarted.log.count(.warning) == 0)
        }
    }

    @Test func `TK-20 where the original has spent it the operator's word costs the grant`() async throws {
        try await copied { original, copy in
            original.outliveAccessToken()
            _ = try await original.ask()
            #expect(await copy.problem { try await copy.client.refreshNow(tryOnce: true) }?.code == .revoked)
        }
    }
}
