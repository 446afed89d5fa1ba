import Core
import Glibc
import Synchronization
import Testing

@testable import Strongbox

struct DedicatedThreadTests {
    private actor Worker {
        private let thread: DedicatedThread
        private var count = 0

        init() throws { thread = try DedicatedThread() }
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        func threadID() -> UInt { UInt(pthread_self()) }
        func add() { count += 1 }
        func total() -> Int { count }
    }

    @Test func `An actor's work runs on one thread that is not shared`() async throws {
        let first = try Worker()
        let second = try Worker()
        let ids = await [first.threadID(), first.threadID(), second.threadID()]
        #expect(ids[0] == ids[1])
        #expect(ids[0] != ids[2])
    }

    @Test func `Work from many tasks is done once each`() async throws {
        let worker = try Worker()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { await worker.add() } }
        }
        #expect(await worker.total() == 1000)
    }

    @Test func `A thousand stores leave no threads behind`() async throws {
        let before = try threads()
        for _ in 0..<1000 {
            let worker = try Worker()
            await worker.add()
        }
        // Threads end by themselves, soon after their actors; a few may still be on their way.
        #expect(try threads() < before + 200)
    }

    private func threads() throws -> Int {
        guard let directory = opendir("/proc/self/task") else { throw NotAKey() }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
