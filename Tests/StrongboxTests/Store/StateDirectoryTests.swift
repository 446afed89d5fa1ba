import Foundation
import Glibc
import Strongbox
import Testing

struct StateDirectoryTests {
    @Test(arguments: [0o000, 0o077, 0o022, 0o777] as [mode_t])
    func `DB-14 Directory and files are closed to others under any umask`(_ mask: mode_t) async throws {
        let directory = try TemporaryDirectory()
        let state = directory.path + "/a/b/state"
        let key = directory.path + "/k/master.key"
        let store = try onThread {
            // CLONE_FS: from now on this thread shares its umask with nobody.
            guard unshare(0x200) == 0 else { throw NotAKey() }
            umask(mask)
        } run: {
            try Store(.directory(state), keyFile: key)
        }
        try await store.save(try Sample.grant())
        for made in ["a", "a/b", "a/b/state", "k"] {
            #expect(permissions(of: directory.path + "/" + made) == 0o700, "\(made)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: state)
        #expect(Set(names) == ["lock", "countersign.db", "countersign.db-wal", "countersign.db-shm"])
        for name in names { #expect(permissions(of: state + "/" + name) == 0o600, "\(name)") }
        #expect(permissions(of: key) == 0o600)
    }

    @Test(arguments: [0o750, 0o701, 0o770, 0o777] as [mode_t])
    func `DB-14 A directory that others can use is refused with the command that mends it`(_ mode: mode_t) throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.state, 0o700)
        chmod(directory.state, mode)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .permissions)
        #expect(error?.fix == "chmod 700 \(directory.state)")
        #expect(try directory.stateFiles() == [])
        #expect(!FileManager.default.fileExists(atPath: directory.key))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `DB-14 A directory of another user is refused with the commands that mend it`() throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.state, 0o700)
        chmod(directory.state, 0o750)
        chown(directory.state, 65534, 65534)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .permissions)
        #expect(error?.fix == "chown 0 \(directory.state) && chmod 700 \(directory.state)")
    }

    @Test(arguments: ["countersign.db", "countersign.db-wal", "countersign.db-shm", "countersign.db-journal", "lock"])
    func `DB-14 A file that others can use is refused with the command that mends it`(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore()
        let file = directory.state + "/" + name
        if !FileManager.default.fileExists(atPath: file) { try write([], to: file) }
        chmod(file, 0o660)
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .permissions)
        #expect(error?.fix == "chmod 600 \(file)")
    }

    @Test(arguments: ["countersign.db", "countersign.db-wal", "countersign.db-shm", "lock"])
    func `DB-16 A link in the place of a file is not followed`(_ name: String) throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.state, 0o700)
        let target = directory.path + "/target"
        try write(Array("precious".utf8), to: target)
        chmod(target, 0o600)
        symlink(target, directory.state + "/" + name)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .permissions)
        unlink(directory.state + "/" + name)
        link(target, directory.state + "/" + name)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .permissions)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("precious".utf8))
        #expect(permissions(of: target) == 0o600)
    }

    @Test func `A path with a link in it leads to the store`() async throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.path + "/real", 0o700)
        symlink(directory.path + "/real", directory.path + "/by-link")
        let store = try Store(.directory(directory.path + "/by-link/state/"), keyFile: directory.key)
        await store.close()
        #expect(FileManager.default.fileExists(atPath: directory.path + "/real/state/countersign.db"))
    }

    @Test func `A file in the directory's place is refused`() throws {
        let directory = try TemporaryDirectory()
        try write([], to: directory.state)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .permissions)
    }

    @Test func `A directory that cannot be made is refused with the command that makes it`() throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o555)
        defer { chmod(directory.path, 0o700) }
        let error = #expect(throws: StoreError.self) {
            try onThread {
                // Root may write anywhere, but for a thread whose files are another user's business.
                if geteuid() == 0 { setfsuid(65534) }
            } run: {
                try directory.openStore()
            }
        }
        #expect(error?.reason == .permissions)
        #expect(error?.fix == "install -d -m 700 -o \(geteuid()) \(directory.state)")
    }

    @Test func `A command for an odd path can be pasted`() throws {
        let directory = try TemporaryDirectory()
        let state = directory.path + "/it's mine"
        mkdir(state, 0o755)
        let error = #expect(throws: StoreError.self) { try Store(.directory(state), keyFile: directory.key) }
        #expect(error?.fix == #"chmod 700 '\#(directory.path)/it'\''s mine'"#)
    }
}

/// Runs a piece of work on a thread of its own, which is first made other than the rest of the process.
private func onThread<Success: Sendable>(
    _ setUp: @escaping @Sendable () throws -> Void, run work: @escaping @Sendable () throws -> Success
) throws -> Success {
    let outcome = Outcome<Success>()
    let thread = Thread {
        outcome.result = Result {
            try setUp()
            return try work()
        }
        outcome.isThere.signal()
    }
    thread.start()
    outcome.isThere.wait()
    return try outcome.result!.get()
}

// Glibc's, which its Swift module does not show.
@_silgen_name("unshare") private func unshare(_ flags: Int32) -> Int32
@_silgen_name("setfsuid") @discardableResult private func setfsuid(_ user: UInt32) -> Int32

/// `@unchecked Sendable`: written before the semaphore is signalled, read after it.
private final class Outcome<Success: Sendable>: @unchecked Sendable {
    var result: Result<Success, any Error>?
    let isThere = DispatchSemaphore(value: 0)
}
