import Core
import Foundation
import Glibc
import Strongbox
import Testing

struct MasterKeyTests {
    @Test func `A first start makes a key of 32 bytes`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore()
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.key)).count == 32)
        #expect(permissions(of: directory.key) == 0o600)
        #expect(!FileManager.default.fileExists(atPath: directory.key + ".new"))
    }

    @Test func `DB-12 A missing key of a sealed grant is not made anew, and nothing is touched`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let key = try Data(contentsOf: URL(fileURLWithPath: directory.key))
        try FileManager.default.removeItem(atPath: directory.key)
        let before = try Data(contentsOf: URL(fileURLWithPath: directory.database))
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .keyMissing)
        #expect(error?.detail.contains(directory.key) == true)
        #expect(error?.advice != nil)
        #expect(!FileManager.default.fileExists(atPath: directory.key))
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == before)
        // Put back, everything is there.
        try write(Array(key), to: directory.key)
        chmod(directory.key, 0o600)
        #expect(try await directory.openStore().loadGrant()?.grantID == "gr_1")
    }

    @Test func `A missing key of an empty store is made anew`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let store = try directory.openStore()
        try await store.wipeGrant(revoked: false)
        await store.close()
        try FileManager.default.removeItem(atPath: directory.key)
        try await directory.makeStore(with: try Sample.grant("gr_2"))
        #expect(try await directory.openStore().loadGrant()?.grantID == "gr_2")
    }

    @Test func `DB-12 A wrong key is found out at the start, and nothing is touched`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        try write([UInt8](repeating: 7, count: 32), to: directory.key)
        chmod(directory.key, 0o600)
        let before = try directory.allBytes()
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .keyWrong)
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == before["state/countersign.db"])
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func `DB-12 A key of another length is refused`(_ count: Int) async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        try write([UInt8](repeating: 7, count: count), to: directory.key)
        chmod(directory.key, 0o600)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .keyWrong)
        #expect(error?.detail == "The key file \(directory.key) has \(count) bytes; a master key has 32.")
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o601] as [mode_t])
    func `DB-12 A key that others can use is refused with the command that mends it`(_ mode: mode_t) async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        chmod(directory.key, mode)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .permissions)
        #expect(error?.fix == "chmod 600 \(directory.key)")
        chmod(directory.key, 0o600)
        try await directory.makeStore()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `DB-12 A key of another user is refused with the command that mends it`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        chown(directory.key, 65534, 65534)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .permissions)
        #expect(error?.fix == "chown 0 \(directory.key)")
    }

    @Test func `DB-16 A key behind a link is not followed`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let elsewhere = directory.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: directory.key, toPath: elsewhere)
        symlink(elsewhere, directory.key)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .permissions)
        unlink(directory.key)
        link(elsewhere, directory.key)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .permissions)
    }

    @Test func `DB-16 A pipe in the key's place is refused and does not block`() async throws {
        let directory = try TemporaryDirectory()
        mkfifo(directory.key, 0o600)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .permissions)
    }

    @Test func `DB-15 What a crash left of a key is ignored and cleaned`() async throws {
        let directory = try TemporaryDirectory()
        try write([1, 2, 3], to: directory.key + ".new")
        try await directory.makeStore()
        #expect(!FileManager.default.fileExists(atPath: directory.key + ".new"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.key)).count == 32)
    }
}
