import Foundation
import Testing

@testable import Strongbox

struct SQLiteConnectionTests {
    private func table() throws -> SQLiteConnection {
        let connection = try SQLiteConnection("", .memory)
        try connection.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, value ANY) STRICT")
        return connection
    }

    @Test(
        arguments: [
            .null, .integer(0), .integer(.min), .integer(.max), .text(""), .text("a\u{0}b \u{1F511}"), .blob([]),
            .blob([0, 255, 1]),
        ] as [SQLiteValue])
    func `A value comes back as it went in`(_ value: SQLiteValue) throws {
        let connection = try table()
        try connection.run("INSERT INTO things (value) VALUES (?1)", [value])
        #expect(try connection.row("SELECT value FROM things").values == [value])
    }

    @Test func `A transaction that fails leaves nothing`() throws {
        let connection = try table()
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("INSERT INTO things (id) VALUES (1)")
                try connection.run("INSERT INTO things (id) VALUES (1)")
            }
        }
        #expect(try connection.rows("SELECT id FROM things").isEmpty)
        try connection.transaction { () throws(SQLiteError) in try connection.run("INSERT INTO things (id) VALUES (2)")
        }
    }

    @Test func `A full disk is storage that is unavailable, and it recovers`() throws {
        let connection = try table()
        try connection.rows("PRAGMA max_page_count = 3")
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("INSERT INTO things (value) VALUES (zeroblob(100000))")
            }
        }
        let told = StoreError(try #require(error), about: "/state/countersign.db")
        #expect(told.reason == .unavailable)
        #expect(told.detail == "/state/countersign.db cannot be used now: database or disk is full (13).")
        try connection.rows("PRAGMA max_page_count = 1000")
        try connection.transaction { () throws(SQLiteError) in
            try connection.run("INSERT INTO things (value) VALUES (zeroblob(100000))")
        }
    }

    @Test func `DB-07 A writer that finds another one gives up in time`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/test.db"
        try write([], to: path)
        let first = try SQLiteConnection(path, .readWrite)
        try first.rows("PRAGMA journal_mode = WAL")
        try first.execute("CREATE TABLE things (id INTEGER PRIMARY KEY)")
        let second = try SQLiteConnection(path, .readWrite, patience: 20)
        try first.transaction { () throws(SQLiteError) in
            let error = #expect(throws: SQLiteError.self) {
                try second.transaction { () throws(SQLiteError) in try second.run("INSERT INTO things VALUES (1)") }
            }
            #expect(error.map { StoreError($0, about: path).reason } == .unavailable)
        }
        try second.transaction { () throws(SQLiteError) in try second.run("INSERT INTO things VALUES (1)") }
    }

    @Test func `A store is configured to be durable and to forget`() throws {
        let opened = try StoreOpening.inMemory()
        let connection = opened.connection
        #expect(try connection.row("PRAGMA synchronous").integer(0) == 2)
        #expect(try connection.row("PRAGMA secure_delete").integer(0) == 1)
        #expect(try connection.row("PRAGMA foreign_keys").integer(0) == 1)
        #expect(try connection.row("PRAGMA user_version").integer(0) == Schema.ours.version)
    }

    @Test func `A store in a directory keeps a write-ahead log and waits five seconds for others`() throws {
        let directory = try TemporaryDirectory()
        let opened = try StoreOpening.inDirectory(directory.state, keyFile: directory.key)
        let connection = opened.connection
        #expect(try connection.row("PRAGMA journal_mode").text(0) == "wal")
        #expect(try connection.row("PRAGMA busy_timeout").integer(0) == 5000)
        #expect(try connection.row("PRAGMA synchronous").integer(0) == 2)
    }
}
