import Core
import Foundation
import Glibc
import Testing

@testable import Strongbox

/// Databases that are not as we left them.
struct StoreDamageTests {
    private func edit(_ directory: TemporaryDirectory, _ sql: StaticString) throws {
        try SQLiteConnection(directory.database, .readWrite).execute(sql)
    }

    private func copy(_ directory: TemporaryDirectory) throws -> TemporaryDirectory {
        let other = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: directory.state, toPath: other.state)
        try FileManager.default.copyItem(atPath: directory.key, toPath: other.key)
        chmod(other.state, 0o700)
        return other
    }

    @Test(arguments: [0, 31, 33, 64])
    func `SG-11 A signing key of another length is refused at the start, with a clear text`(_ count: Int) async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let masterKey = Array(try Data(contentsOf: URL(fileURLWithPath: directory.key)))
        let seal = ColumnSeal(masterKey: Secret(copying: masterKey))
        do {
            let connection = try SQLiteConnection(directory.database, .readWrite)
            let generation = try connection.row("SELECT generation FROM grants").integer(0)
            let seed = seal.seal(Secret(random: count), at: .approvalSeed(generation))
            #expect(try connection.run("UPDATE grants SET approval_seed = ?1", [.blob(seed)]) == 1)
        }
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .damaged)
        #expect(error?.detail.contains("countersign.db is damaged") == true)
    }

    @Test func `DB-10 A store of a newer version is refused untouched`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        try edit(directory, "PRAGMA user_version = 99")
        let before = try directory.allBytes()["state/countersign.db"]
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .newerVersion)
        #expect(try directory.allBytes()["state/countersign.db"] == before)
    }

    @Test func `DB-10 A newer version is refused before a missing key is made`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore()
        try edit(directory, "PRAGMA user_version = 99")
        try FileManager.default.removeItem(atPath: directory.key)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .newerVersion)
        #expect(!FileManager.default.fileExists(atPath: directory.key))
    }

    @Test(
        arguments: [
            "UPDATE tokens SET access = refresh, refresh = access",
            "UPDATE tokens SET access = (SELECT approval_seed FROM grants)",
            "UPDATE grants SET approval_seed = seal_private, seal_private = approval_seed",
            "UPDATE tokens SET generation = generation + 1",
            "UPDATE grants SET approval_seed = zeroblob(72)",
            "UPDATE grants SET approval_seed = x''",
            "UPDATE vaults SET policy = 'always'",
            "DELETE FROM tokens",
        ] as [Statement])
    func `DB-12 Columns that were swapped or changed do not open`(_ statement: Statement) async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        try edit(directory, statement.sql)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .damaged)
    }

    @Test func `DB-12 A sealed value of an earlier time does not open`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let old = try SQLiteConnection(directory.database, .readWrite).row("SELECT refresh FROM tokens").blob(0)
        let store = try directory.openStore()
        try await store.saveRefreshed(Sample.tokens("-2"), vaults: nil)
        await store.close()
        try SQLiteConnection(directory.database, .readWrite).run("UPDATE tokens SET refresh = ?1", [.blob(old)])
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .damaged)
    }

    @Test func `DB-12 The grant of another store does not open`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let other = try TemporaryDirectory()
        try await other.makeStore(with: try Sample.grant())
        try FileManager.default.removeItem(atPath: directory.database)
        try FileManager.default.copyItem(atPath: other.database, toPath: directory.database)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .keyWrong)
    }

    @Test func `DB-11 A file that is no database is refused and kept`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore()
        let text = Array(String(repeating: "not a database\n", count: 1000).utf8)
        try write(text, to: directory.database)
        chmod(directory.database, 0o600)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .damaged)
        #expect(error?.detail.contains(directory.database) == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == Data(text))
    }

    @Test func `DB-01 What was acknowledged is there after a crash`() async throws {
        let directory = try TemporaryDirectory()
        let store = try directory.openStore()
        try await store.save(try Sample.grant())
        try await store.saveRefreshed(Sample.tokens("-2"), vaults: nil)
        for byte in 0..<20 { try await store.save(try Sample.ask(UInt8(byte))) }
        // The files as a crash would leave them: the log not yet in the database, and no index of it.
        let crashed = try copy(directory)
        #expect(try crashed.allBytes()["state/countersign.db-wal"]?.isEmpty == false)
        unlink(crashed.database + "-shm")
        let recovered = try crashed.openStore()
        let loaded = try #require(try await recovered.loadGrant())
        #expect(loaded.tokens.access.exposed() == Array((Sample.accessCanary + "-2").utf8))
        #expect(try await recovered.openAsks().count == 20)
    }

    @Test func `DB-09 A database that was replaced under a running store is written no more`() async throws {
        let directory = try TemporaryDirectory()
        let store = try directory.openStore()
        try await store.save(try Sample.grant())
        rename(directory.database, directory.database + ".moved")
        try write([], to: directory.database)
        let error = await #expect(throws: StoreError.self) { try await store.save(try Sample.ask(1)) }
        #expect(error?.reason == .unavailable)
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)).isEmpty)
    }

    struct Statement: ExpressibleByStringLiteral, Sendable, CustomTestStringConvertible {
        let sql: StaticString
        init(stringLiteral value: StaticString) { sql = value }
        var testDescription: String { "\(sql)" }
    }
}
