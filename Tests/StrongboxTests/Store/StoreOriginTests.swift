import Core
import Foundation
import Testing

@testable import Strongbox

/// A copy of a state directory holds a refresh token that the original may have spent since.
struct StoreOriginTests {
    private let manager = FileManager.default

    private func state(of directory: TemporaryDirectory, _ name: String = "state") async throws -> (RefreshState?, Bool)
    {
        let store = try Store(.directory(directory.path + "/" + name), keyFile: directory.key)
        let found = (try await store.loadGrant()?.refreshState, try await store.isCopied())
        await store.close()
        return found
    }

    private func expect(_ found: (RefreshState?, Bool), _ state: RefreshState?, copied: Bool) {
        #expect(found.0 == state)
        #expect(found.1 == copied)
    }

    @Test func `TK-20 a copy is found out at its first start, and stays one; the original is none`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        try manager.copyItem(atPath: directory.state, toPath: directory.path + "/copy")
        for _ in 0..<3 { expect(try await state(of: directory, "copy"), .unknown, copied: true) }
        for _ in 0..<3 { expect(try await state(of: directory), .idle, copied: false) }
    }

    @Test func `TK-20 a database that was put back from a backup is found out`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let backup = directory.path + "/backup.db"
        try manager.copyItem(atPath: directory.database, toPath: backup)
        expect(try await state(of: directory), .idle, copied: false)
        try manager.removeItem(atPath: directory.database)
        try manager.copyItem(atPath: backup, toPath: directory.database)
        expect(try await state(of: directory), .unknown, copied: true)
    }

    @Test func `TK-20 a directory that is renamed, and a database that is read, is no copy`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        _ = try Data(contentsOf: URL(fileURLWithPath: directory.database))
        try manager.moveItem(atPath: directory.state, toPath: directory.path + "/elsewhere")
        expect(try await state(of: directory, "elsewhere"), .idle, copied: false)
        let moved = directory.path + "/elsewhere/countersign.db"
        try manager.moveItem(atPath: moved, toPath: moved + ".aside")
        try manager.moveItem(atPath: moved + ".aside", toPath: moved)
        expect(try await state(of: directory, "elsewhere"), .idle, copied: false)
    }

    @Test func `TK-20 new tokens, a new grant and a wipe settle it`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let settlings: [@Sendable (Store) async throws -> Void] = [
            { try await $0.saveRefreshed(Sample.tokens("-2"), vaults: nil) },
            { try await $0.save(try Sample.grant("gr_2")) },
            { try await $0.wipeGrant(revoked: false) },
        ]
        for (number, settle) in settlings.enumerated() {
            let name = "copy-\(number)"
            try manager.copyItem(atPath: directory.state, toPath: directory.path + "/" + name)
            let store = try Store(.directory(directory.path + "/" + name), keyFile: directory.key)
            #expect(try await store.isCopied())
            try await settle(store)
            #expect(try await !store.isCopied())
            await store.close()
            let found = try await state(of: directory, name)
            #expect(found.0 != .unknown && !found.1)
        }
    }

    @Test func `TK-20 without a grant a copy is nothing to worry about`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore()
        try manager.copyItem(atPath: directory.state, toPath: directory.path + "/copy")
        let store = try Store(.directory(directory.path + "/copy"), keyFile: directory.key)
        #expect(try await !store.isCopied())
        try await store.save(try Sample.grant())
        await store.close()
        expect(try await state(of: directory, "copy"), .idle, copied: false)
    }

    @Test func `a store of the version before takes the file that it lies in for its own`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let connection = try SQLiteConnection(directory.database, .readWrite)
        try connection.run("UPDATE store SET inode = NULL, birth = NULL")
        expect(try await state(of: directory), .idle, copied: false)
        try manager.copyItem(atPath: directory.state, toPath: directory.path + "/copy")
        expect(try await state(of: directory, "copy"), .unknown, copied: true)
    }

    @Test func `where the time of birth is kept it decides, elsewhere the number of the file`() {
        let file = StoreOrigin.File(inode: 7, birth: 100)
        #expect(file.isSame(as: StoreOrigin.File(inode: 8, birth: 100)))
        #expect(!file.isSame(as: StoreOrigin.File(inode: 7, birth: 101)))
        #expect(file.isSame(as: StoreOrigin.File(inode: 7, birth: nil)))
        #expect(!file.isSame(as: StoreOrigin.File(inode: 8, birth: nil)))
    }

    @Test func `a file's time of birth is that of its making`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/file"
        try write([1], to: path)
        guard let birth = FileBirth.of(path) else { return }
        #expect(abs(Double(birth) / 1e9 - Date().timeIntervalSince1970) < 60)
        try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
        #expect(FileBirth.of(path) == birth)
        #expect(FileBirth.of(directory.path + "/none") == nil)
    }
}
