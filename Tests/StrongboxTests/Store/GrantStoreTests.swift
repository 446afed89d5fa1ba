import Core
import Testing

@testable import Strongbox

struct GrantStoreTests {
    @Test func `A grant comes back as it was saved`() async throws {
        let store = try Store(.memory, keyFile: nil)
        #expect(try await store.loadGrant() == nil)
        let grant = try Sample.grant()
        try await store.save(grant)
        #expect(try await store.loadGrant()?.contents == grant.contents)
    }

    @Test func `A grant survives the process`() async throws {
        let directory = try TemporaryDirectory()
        let grant = try Sample.grant(refreshState: .unknown)
        try await directory.makeStore(with: grant)
        let store = try directory.openStore()
        let loaded = try #require(try await store.loadGrant())
        #expect(loaded.contents == grant.contents)
        let signature = loaded.approvalKey.sign([1, 2, 3])
        #expect(Ed25519.verify(signature: signature, of: [1, 2, 3], publicKey: grant.approvalKey.publicKey))
    }

    @Test func `A new grant replaces the old one`() async throws {
        let store = try Store(.memory, keyFile: nil)
        try await store.save(try Sample.grant("gr_1"))
        let next = StoredGrant(
            grantID: "gr_2", clientID: "pmc_2", origin: "https://mimikey.example", approvalKey: ApprovalKey(),
            sealKey: SealKey(), tokens: Sample.tokens("-2"), vaults: [])
        try await store.save(next)
        #expect(try await store.loadGrant()?.contents == next.contents)
    }

    @Test func `An identity key is pinned once, comes back, and goes with its grant`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let first = try directory.openStore()
        let keys = [SealKey().publicKey, SealKey().publicKey]
        #expect(try await first.pinIdentityKey(keys[0], of: "gr_1") == keys[0])
        #expect(try await first.pinIdentityKey(keys[1], of: "gr_1") == keys[0])
        await #expect(throws: StoreError.self) { try await first.pinIdentityKey(keys[1], of: "gr_2") }
        try await first.saveRefreshed(Sample.tokens("-new"), vaults: nil)
        await first.close()

        let second = try directory.openStore()
        #expect(try await second.loadGrant()?.identityKey == keys[0])
        try await second.replaceIdentityKey(with: keys[1], of: "gr_1")
        #expect(try await second.loadGrant()?.identityKey == keys[1])
        await #expect(throws: StoreError.self) { try await second.replaceIdentityKey(with: keys[0], of: "gr_2") }
        try await second.save(try Sample.grant("gr_2"))
        #expect(try await second.loadGrant()?.identityKey == nil)
    }

    @Test func `DB-12 An identity key that was put there by somebody else makes the grant unreadable`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let database = try SQLiteConnection(directory.database, .readWrite)
        try database.run("UPDATE grants SET identity_key = ?1", [.blob(SealKey().publicKey)])
        #expect(throws: StoreError.self) { try directory.openStore() }
    }

    @Test func `New vaults are those of their grant only`() async throws {
        let store = try Store(.memory, keyFile: nil)
        try await store.save(try Sample.grant())
        let vaults = [Vault(id: "v_9", name: "Work", policy: .trust)]
        try await store.save(vaults, of: "gr_2")
        #expect(try await store.loadGrant()?.vaults.map(\.id) == ["v_1", "v_2"])
        try await store.save(vaults, of: "gr_1")
        #expect(try await store.loadGrant()?.vaults == vaults)
    }

    @Test func `A refresh is marked, and its tokens clear the mark`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let first = try directory.openStore()
        try await first.markRefreshStarted()
        await first.close()

        let second = try directory.openStore()
        #expect(try await second.loadGrant()?.refreshState == .started)
        try await second.markRefreshUnknown()
        #expect(try await second.loadGrant()?.refreshState == .unknown)
        try await second.clearRefreshMark()
        #expect(try await second.loadGrant()?.refreshState == .idle)
        try await second.markRefreshStarted()
        try await second.saveRefreshed(Sample.tokens("-new"), vaults: nil)
        await second.close()

        let third = try directory.openStore()
        let grant = try #require(try await third.loadGrant())
        #expect(grant.refreshState == .idle)
        #expect(grant.tokens.access.exposed() == Array((Sample.accessCanary + "-new").utf8))
        #expect(grant.tokens.refresh.exposed() == Array((Sample.refreshCanary + "-new").utf8))
        #expect(grant.vaults.map(\.id) == ["v_1", "v_2"])
        #expect(grant.approvalKey.publicKey == (try ApprovalKey.from(Sample.seed).publicKey))
    }

    @Test func `A refresh can bring other vaults`() async throws {
        let store = try Store(.memory, keyFile: nil)
        try await store.save(try Sample.grant())
        let vaults = [Vault(id: "v_9", name: "Shared", policy: .ask)]
        try await store.saveRefreshed(Sample.tokens(), vaults: vaults)
        #expect(try await store.loadGrant()?.vaults == vaults)
    }

    @Test func `Without a grant there is nothing to refresh`() async throws {
        let store = try Store(.memory, keyFile: nil)
        try await store.clearRefreshMark()
        try await store.markRefreshUnknown()
        await #expect(throws: StoreError.self) { try await store.markRefreshStarted() }
        await #expect(throws: StoreError.self) { try await store.saveRefreshed(Sample.tokens(), vaults: nil) }
        #expect(try await store.loadGrant() == nil)
    }

    @Test func `A wiped grant is gone, and a revocation is remembered until the next grant`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let first = try directory.openStore()
        #expect(try await first.isRevoked() == false)
        try await first.wipeGrant(revoked: true)
        await first.close()
        let second = try directory.openStore()
        #expect(try await second.loadGrant() == nil)
        #expect(try await second.isRevoked())
        try await second.save(try Sample.grant("gr_2"))
        #expect(try await second.isRevoked() == false)
        try await second.wipeGrant(revoked: false)
        #expect(try await second.isRevoked() == false)
    }

    @Test func `A closed store refuses to work`() async throws {
        let store = try Store(.memory, keyFile: nil)
        await store.close()
        await store.close()
        let error = await #expect(throws: StoreError.self) { try await store.loadGrant() }
        #expect(error?.reason == .unavailable)
    }
}
