import Core
import Foundation
import Glibc
import Testing

@testable import Strongbox

/// A disk with little room, files that go away, programs that hold on to the database.
struct StoreRoomTests {
    @Test func `Below the floor nothing new is begun, and what is under way is still written`() async throws {
        let directory = try TemporaryDirectory()
        var limits = StoreLimits()
        limits.freeSpace = .max
        let store = try Store(.directory(directory.state), keyFile: directory.key, limits)
        let error = await #expect(throws: StoreError.self) { try await store.begin(try Sample.ask(1)) }
        #expect(error?.reason == .unavailable)
        await #expect(throws: StoreError.self) { try await store.check() }
        try await store.save(try Sample.ask(2))
        try await store.save(try Sample.grant())
        #expect(try await store.openAsks().count == 1)
    }

    @Test func `A log that a reader keeps from being emptied stops what is new, until the reader goes`() async throws {
        let directory = try TemporaryDirectory()
        var limits = StoreLimits()
        limits.log = 100_000
        let store = try Store(.directory(directory.state), keyFile: directory.key, limits)
        try await store.save(try Sample.ask(0))
        do {
            let reader = try SQLiteConnection(directory.database, .readOnly)
            try reader.execute("BEGIN")
            try reader.rows("SELECT * FROM asks")
            for number in 0..<60 { try await store.save(try Sample.ask(UInt8(number))) }
            await #expect(throws: StoreError.self) { try await store.begin(try Sample.ask(100)) }
            try reader.execute("COMMIT")
        }
        try await store.begin(try Sample.ask(100))
        #expect(try directory.allBytes()["state/countersign.db-wal"]!.count < 100_000)
    }

    @Test(arguments: ["countersign.db", "countersign.db-wal", "countersign.db-shm"])
    func `DB-09 A file that was deleted or replaced under a running store stops every write, and is said`(
        _ name: String
    )
        async throws
    {
        for replaces in [false, true] {
            let directory = try TemporaryDirectory()
            let store = try directory.openStore()
            try await store.save(try Sample.grant())
            try await store.save(try Sample.ask(1))
            let file = directory.state + "/" + name
            rename(file, directory.path + "/moved")
            if replaces { try write([], to: file) }
            for _ in 0..<2 {
                let error = await #expect(throws: StoreError.self) { try await store.check() }
                #expect(error?.detail.contains("replaced or deleted") == true)
                #expect(error?.advice != nil)
                let refused = await #expect(throws: StoreError.self) { try await store.save(try Sample.ask(2)) }
                #expect(refused?.reason == .unavailable)
            }
            // Reading goes on from what was opened.
            #expect(try await store.ask(try Sample.ask(1).id) != nil)
            if replaces { #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty) }
        }
    }

    @Test func `DB-09 What was acknowledged before its log was deleted is in the database after an orderly end`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let store = try directory.openStore()
        try await store.save(try Sample.grant())
        try await store.save(try Sample.ask(1))
        unlink(directory.database + "-wal")
        await #expect(throws: StoreError.self) { try await store.check() }
        await store.close()
        let again = try directory.openStore()
        #expect(try await again.ask(try Sample.ask(1).id) != nil)
        #expect(try await again.loadGrant() != nil)
    }

    @Test func `DB-07 Two connections that read and then write at the same time never find each other busy`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/test.db"
        try write([], to: path)
        let first = try SQLiteConnection(path, .readWrite)
        try first.rows("PRAGMA journal_mode = WAL")
        try first.execute("CREATE TABLE counter (value INTEGER); INSERT INTO counter VALUES (0)")
        let rounds = 1000
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    guard let connection = try? SQLiteConnection(path, .readWrite) else { return rounds }
                    _ = try? connection.rows("PRAGMA synchronous = OFF")
                    return (0..<rounds).count { _ in
                        let wrote: Void? = try? connection.transaction { () throws(SQLiteError) in
                            let value = try connection.row("SELECT value FROM counter").integer(0)
                            try connection.run("UPDATE counter SET value = ?1", [.integer(value + 1)])
                        }
                        return wrote == nil
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
        #expect(try first.row("SELECT value FROM counter").integer(0) == Int64(2 * rounds))
    }
}
