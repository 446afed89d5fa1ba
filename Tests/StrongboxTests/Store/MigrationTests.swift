import Core
import Foundation
import Glibc
import Testing

@testable import Strongbox

/// A later version of the tables, as this program does not have it yet.
struct MigrationTests {
    /// Two steps more than ours.
    private static let later = Schema([
        Schema.firstTables, Schema.allOperations, Schema.origin,
        "ALTER TABLE asks ADD COLUMN note TEXT; UPDATE asks SET note = 'old'; PRAGMA user_version = 4;",
        "CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT; INSERT INTO extra VALUES (7); PRAGMA user_version = 5;",
    ])
    private static let failing = Schema([
        Schema.firstTables, Schema.allOperations, Schema.origin, "ALTER TABLE nowhere ADD COLUMN note TEXT;",
    ])

    private static func version(_ path: String) throws -> Int64 {
        try Schema.version(of: SQLiteConnection(path, .readOnly))
    }

    @Test func `DB-10 An older store is migrated in one transaction, and a copy of it is kept`() async throws {
        let directory = try TemporaryDirectory()
        let grant = try Sample.grant()
        try await directory.makeStore(with: grant)
        do {
            let opened = try StoreOpening.inDirectory(directory.state, keyFile: directory.key, schema: Self.later)
            #expect(try Schema.version(of: opened.connection) == 5)
            #expect(try opened.connection.row("SELECT id FROM extra").integer(0) == 7)
        }
        let copy = directory.database + ".v3"
        #expect(permissions(of: copy) == 0o600)
        #expect(try Self.version(copy) == 3)
        #expect(try SQLiteConnection(copy, .readOnly).row("PRAGMA integrity_check").text(0) == "ok")
        #expect(!FileManager.default.fileExists(atPath: copy + ".new"))
        // The copy is a store: in the place of the database it is the grant as it was, and known to be a copy.
        for name in ["", "-wal", "-shm"] { unlink(directory.database + name) }
        rename(copy, directory.database)
        let store = try directory.openStore()
        let restored = try await store.loadGrant()
        #expect(restored?.contents.dropLast() == grant.contents.dropLast())
        #expect(restored?.refreshState == .unknown)
        #expect(try await store.isCopied())
    }

    @Test func `DB-10 A migration that fails leaves the old tables, and the next start tries again`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        #expect(throws: StoreError.self) {
            _ = try StoreOpening.inDirectory(directory.state, keyFile: directory.key, schema: Self.failing)
        }
        #expect(try Self.version(directory.database) == 3)
        let opened = try StoreOpening.inDirectory(directory.state, keyFile: directory.key, schema: Self.later)
        #expect(try Schema.version(of: opened.connection) == 5)
    }

    @Test func `DB-10 SIGKILL at each step of a migration leaves the old tables, never something between`() async throws
    {
        for turn in 1...2 {
            let directory = try TemporaryDirectory()
            try await directory.makeStore(with: try Sample.grant())
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [state = directory.state as String, key = directory.key as String, turn = turn as Int] in
                _ = FaultPoint.arm(
                    environment: { _ in "migrate.step:kill:\(turn)" }, kill: { kill(getpid(), SIGKILL) },
                    sleep: { _ in })
                _ = try StoreOpening.inDirectory(state, keyFile: key, schema: MigrationTests.later)
            }
            #expect(try Self.version(directory.database) == 3)
            #expect(try SQLiteConnection(directory.database, .readOnly).row("PRAGMA integrity_check").text(0) == "ok")
            #expect(try await directory.openStore().loadGrant()?.grantID == "gr_1")
            let opened = try StoreOpening.inDirectory(directory.state, keyFile: directory.key, schema: Self.later)
            #expect(try Schema.version(of: opened.connection) == 5)
        }
    }

    @Test func `DB-13 The copy that a migration kept goes with the keys and tokens in it`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let files = try StoreFiles(directory.state)
        try write([1], to: directory.database + ".v3")
        try files.removeCopies(before: 4)
        #expect(!FileManager.default.fileExists(atPath: directory.database + ".v3"))
    }
}
