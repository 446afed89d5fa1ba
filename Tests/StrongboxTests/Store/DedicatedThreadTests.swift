import Glibc
import Testing

@testable import Strongbox

struct DedicatedThreadTests {
    private actor Worker {
        private let thread: DedicatedThread
        private var count = 0

        init(atEnd: @escaping @Sendable () -> Void = {}) throws { thread = try DedicatedThread(atEnd: atEnd) }
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

    @Test func `A thread ends when its actor goes`() async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        do {
            let worker = try Worker(atEnd: { continuation.finish() })
            await worker.add()
        }
        // Were the thread to stay, this would never return.
        for await _ in ends {}
    }
}
