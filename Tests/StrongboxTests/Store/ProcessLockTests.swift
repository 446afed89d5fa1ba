import Foundation
import Strongbox
import Testing

struct ProcessLockTests {
    @Test func `TK-03 A second store of one directory is refused until the first is closed`() async throws {
        let directory = try TemporaryDirectory()
        let first = try directory.openStore()
        let error = #expect(throws: StoreError.self) { try directory.openStore() }
        #expect(error?.reason == .inUse)
        await first.close()
        try await directory.makeStore()
    }

    @Test func `TK-03 Another process is refused, and once it is killed its directory is free at once`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore(with: try Sample.grant())
        let holder = try LockHolder(directory.lock)
        #expect(#expect(throws: StoreError.self) { try directory.openStore() }?.reason == .inUse)
        holder.kill()
        #expect(try await directory.openStore().loadGrant()?.grantID == "gr_1")
    }

    @Test func `A lock file that was left over means nothing`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.makeStore()
        #expect(try directory.stateFiles().contains("lock"))
        try await directory.makeStore()
    }

    @Test func `A store that goes without being closed frees its directory`() async throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try directory.openStore()
            try await store.save(try Sample.grant())
        }
        #expect(try await directory.openStore().loadGrant()?.grantID == "gr_1")
    }
}

/// Another process that holds the lock.
private struct LockHolder {
    private let process = Process()
    private let input = Pipe()

    init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", #"exec 9<>"$0" && flock -n 9 && echo held && read line"#, path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = output.fileHandleForReading.availableData
        guard line == Data("held\n".utf8) else { throw NotAKey() }
    }

    /// SIGKILL, and waits for the end.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
