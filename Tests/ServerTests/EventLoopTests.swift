import Core
import Foundation
import Synchronization
import Testing
import Transport

struct EventLoopTests {
    @Test func `a sleep ends when its moment has come`() async throws {
        let loop = try EventLoop(name: "test")
        let time = loop.time
        let deadline = time.now() + .milliseconds(20)
        try await time.sleep(deadline)
        #expect(time.now() >= deadline)
        await loop.stop()
    }

    @Test func `a cancelled sleep ends at once`() async throws {
        let loop = try EventLoop(name: "test")
        let time = loop.time
        let task = Task(executorPreference: loop) { try await time.sleep(time.now() + .seconds(3600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await loop.stop()
    }

    @Test func `a sleep on another loop ends at once, at whatever moment it is cancelled`() async throws {
        let (here, there) = (try EventLoop(name: "here"), try EventLoop(name: "there"))
        let time = here.time
        // A sleeper that was not woken would look at the clock by itself after 20 s.
        let slowest = await withTaskGroup(of: Duration.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var slowest = Duration.zero
                    for number in 0..<3000 where slowest < .seconds(10) {
                        let task = Task(executorPreference: there) {
                            try? await time.sleep(time.now() + .seconds(3600))
                        }
                        for _ in 0..<number % 30 { await Task.yield() }
                        let cancelled = time.now()
                        task.cancel()
                        await task.value
                        slowest = max(slowest, time.now() - cancelled)
                    }
                    return slowest
                }
            }
            return await group.reduce(.zero, max)
        }
        #expect(slowest < .seconds(10))
        await here.stop()
        await there.stop()
    }

    @Test func `who sleeps is woken when the loop stops`() async throws {
        let loop = try EventLoop(name: "test")
        let time = loop.time
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task(executorPreference: loop) {
            start.finish()
            try await time.sleep(time.now() + .seconds(3600))
        }
        for await _ in started {}
        await loop.stop()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a task with the preference runs on the loop's thread`() async throws {
        let loop = try EventLoop(name: "test")
        let isThere = await Task(executorPreference: loop) {
            await Task.yield()
            return loop.isCurrent
        }.value
        #expect(isThere)
        await loop.stop()
    }

    @Test func `what comes after the end still runs`() async throws {
        let loop = try EventLoop(name: "test")
        await loop.stop()
        await loop.stop()
        let sum = await Task(executorPreference: loop) {
            await withTaskGroup(of: Int.self) { group in
                for number in 1...100 { group.addTask { number } }
                return await group.reduce(0, +)
            }
        }.value
        #expect(sum == 5050)
        await #expect(throws: CancellationError.self) {
            try await loop.time.sleep(loop.time.now() + .seconds(3600))
        }
    }

    @Test func `many tasks of many threads all get their turn`() async throws {
        let loop = try EventLoop(name: "test")
        let count = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await Task(executorPreference: loop) {
                        for _ in 0..<20 { await Task.yield() }
                        return 1
                    }.value
                }
            }
            return await group.reduce(0, +)
        }
        #expect(count == 200)
        await loop.stop()
    }
}
