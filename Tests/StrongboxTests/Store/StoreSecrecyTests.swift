import Core
import Foundation
import Testing

@testable import Strongbox

/// What a copied disk shows.
struct StoreSecrecyTests {
    /// Every form in which a secret of the sample grant could lie in a file.
    private func needles() throws -> [Data] {
        let secrets = [
            Array(Sample.accessCanary.utf8), Array(Sample.refreshCanary.utf8), Sample.seed, Sample.sealPrivate,
        ]
        return secrets.flatMap { secret -> [Data] in
            [
                Data(secret), Data(Base64URL.encode(secret).utf8), Data(Data(secret).base64EncodedString().utf8),
                Data(Hex.encode(secret).utf8), Data(Hex.encode(secret).uppercased().utf8),
            ]
        }
    }

    private func expectNoSecret(in directory: TemporaryDirectory) throws {
        let files = try directory.allBytes()
        #expect(files.keys.contains("state/countersign.db"))
        for needle in try needles() {
            for (name, bytes) in files { #expect(bytes.range(of: needle) == nil, "\(name)") }
        }
    }

    @Test func `DB-13 No key or token lies in a file in the clear, now or after a wipe`() async throws {
        let directory = try TemporaryDirectory()
        let store = try directory.openStore()
        try await store.save(try Sample.grant())
        try expectNoSecret(in: directory)
        try await store.markRefreshStarted()
        #expect(try directory.allBytes()["state/countersign.db-wal"]?.isEmpty == false)
        try expectNoSecret(in: directory)
        try await store.saveRefreshed(Sample.tokens(), vaults: nil)
        try expectNoSecret(in: directory)
        try await store.wipeGrant(revoked: true)
        try expectNoSecret(in: directory)
        await store.close()
        try expectNoSecret(in: directory)
    }

    @Test func `DB-13 A wiped grant is gone from the database and its log, sealed columns and ids alike`() async throws
    {
        let directory = try TemporaryDirectory()
        let store = try directory.openStore()
        try await store.save(try Sample.grant("gr_canary_77"))
        #expect(try directory.allBytes().values.contains { $0.range(of: Data("gr_canary_77".utf8)) != nil })
        try await store.wipeGrant(revoked: false)
        #expect(try directory.allBytes().values.allSatisfy { $0.range(of: Data("gr_canary_77".utf8)) == nil })
        #expect(try directory.allBytes()["state/countersign.db-wal"]?.isEmpty == true)
    }

    @Test func `DB-13 Tokens that were replaced are gone from the database and its log, sealed as they were`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let store = try directory.openStore()
        try await store.save(try Sample.grant())
        let old = try SQLiteConnection(directory.database, .readOnly).row("SELECT access, refresh FROM tokens")
        let sealed = [Data(try old.blob(0)), Data(try old.blob(1))]
        let before = try directory.allBytes()
        #expect(sealed.allSatisfy { needle in before.values.contains { $0.range(of: needle) != nil } })
        try await store.saveRefreshed(Sample.tokens("-2"), vaults: nil)
        let after = try directory.allBytes()
        for needle in sealed {
            for (name, bytes) in after { #expect(bytes.range(of: needle) == nil, "\(name)") }
        }
        // Nothing lies in a temporary file, either: there is none.
        #expect(
            try Set(directory.stateFiles()) == ["countersign.db", "countersign.db-shm", "countersign.db-wal", "lock"])
    }

    @Test func `An error names no secret`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        try write([UInt8](repeating: 65, count: 33), to: directory.key)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect("\(error!)".contains("AAAA") == false)
    }
}
