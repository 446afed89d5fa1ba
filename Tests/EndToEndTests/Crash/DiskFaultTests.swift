import Core
import Foundation
import Testing

/// A disk that fails under a running gateway.
@Suite(.timeLimit(.minutes(20))) struct DiskFaultTests {
    private struct Scene {
        let scene: CrashScene
        let faults: DiskFaults
        let life: CrashScene.Life

        init() async throws {
            scene = try await CrashScene(person: "none")
            faults = try DiskFaults(in: scene.home, root: scene.home.state)
            let process = try Running("env", faults.environment + ["countersign", "serve"], in: scene.home)
            try await process.says("listening on http://127.0.0.1:\(scene.port)")
            life = CrashScene.Life(process: process, caller: try HTTPCaller(port: scene.port, token: scene.token))
            #expect(try await scene.authorize())
        }

        func ask(_ name: String) async -> HTTPCaller.Reply? {
            await life.caller.send(
                .post, "/v1/requests", #"{"op":"pick_item","hint":{"url":"https://\#(name).example.com"}}"#, wait: 0)
        }

        func size(_ name: String) -> Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: scene.home.state + "/" + name)
            return (attributes?[.size] as? Int) ?? -1
        }
    }

    @Test
    func `DB-04 after an fsync that failed once the connection is given up, and the database opened and checked anew`()
        async throws
    {
        let scene = try await Scene()
        let kept = try #require(await scene.ask("before")?.id)
        try scene.faults.order(.fsync, EIO)
        let refused = await scene.ask("lost")
        #expect(refused?.status == 503)
        #expect(refused?.error == "storage")
        #expect(scene.faults.hits.count == 1)
        let failedAt = try #require(scene.faults.log.firstIndex { $0.hasPrefix("fsync") })
        #expect(await scene.ask("after")?.status == 202)
        // The database was opened again before anything more was written to its log.
        let later = scene.faults.log[(failedAt + 1)...]
        #expect(later.contains { $0 == "open \(scene.scene.database)" }, "\(later.joined(separator: "\n"))")
        scene.faults.stop()
        let again = await scene.life.caller.send(.get, "/v1/requests/\(kept)")
        #expect(again?.state == "pending")
        #expect(await scene.life.end() == 0)
        #expect(try scene.scene.integrity() == "ok")
        #expect(try await scene.scene.cards().values.allSatisfy { $0 == 1 })
        await scene.scene.end()
    }

    @Test(arguments: [ENOSPC, EDQUOT, EROFS])
    func `DB-06 a disk that takes nothing more: reads go on, new cards are refused, and it recovers alone`(
        _ code: Int32
    )
        async throws
    {
        let scene = try await Scene()
        let id = try #require(await scene.ask("before")?.id)
        let sizes = ["countersign.db", "countersign.db-wal"].map(scene.size)
        let cards = try await scene.scene.cards().count
        try scene.faults.order(.write, code, count: 0)
        for number in 0..<5 {
            let refused = await scene.ask("refused\(number)")
            #expect(refused?.status == 503)
            #expect(refused?.error == "storage")
        }
        #expect(try await scene.scene.cards().count == cards)
        #expect(await scene.life.caller.send(.get, "/v1/requests/\(id)")?.state == "pending")
        #expect(await scene.life.caller.send(.get, "/v1/whoami")?.status == 200)
        #expect(await scene.life.caller.send(.get, "/healthz")?.status == 200)
        let ready = await scene.life.caller.send(.get, "/readyz")
        #expect(ready?.status == 503)
        #expect(ready?.json?["store"]?.string == "failing")
        #expect(!scene.faults.hits.isEmpty)
        for (size, name) in zip(sizes, ["countersign.db", "countersign.db-wal"]) { #expect(scene.size(name) >= size) }
        scene.faults.stop()
        #expect(await scene.ask("after")?.status == 202)
        #expect(await scene.life.caller.send(.get, "/readyz")?.json?["store"]?.string == "ok")
        #expect(await scene.life.end() == 0)
        #expect(try scene.scene.integrity() == "ok")
        await scene.scene.end()
    }

    @Test func `DB-06 without descriptors for the log the store waits until there are some`() async throws {
        let scene = try await Scene()
        #expect(await scene.ask("before")?.status == 202)
        try scene.faults.order(.fsync, EIO)
        #expect(await scene.ask("lost")?.status == 503)
        // It is opened anew, and cannot be.
        try scene.faults.order(.open, EMFILE, count: 0)
        #expect(await scene.ask("refused")?.status == 503)
        #expect(!scene.faults.hits.isEmpty)
        #expect(await scene.life.caller.send(.get, "/v1/whoami")?.status == 200)
        scene.faults.stop()
        #expect(await scene.ask("after")?.status == 202)
        #expect(await scene.life.end() == 0)
        await scene.scene.end()
    }

    @Test
    func `an ask that ended while the disk was full is written once there is room, and its result waits for that`()
        async throws
    {
        let scene = try await Scene()
        let begun = try #require(await scene.ask("full"))
        let id = try #require(begun.id)
        let card = try #require(begun.json?["upstream_id"]?.string)
        try scene.faults.order(.write, ENOSPC, count: 0)
        try await scene.scene.control("requests/\(card)/approve")
        let held = await scene.life.caller.send(.get, "/v1/requests/\(id)", wait: 20)
        #expect(held?.status == 503)
        #expect(held?.error == "storage")
        #expect(held?.fields.contains("retry-after") == true)
        scene.faults.stop()
        #expect(await scene.life.caller.send(.get, "/v1/requests/\(id)", wait: 5)?.hasRecord == true)
        await scene.life.kill()
        let next = try await scene.scene.start()
        #expect(await next.caller.send(.get, "/v1/requests/\(id)")?.state == "completed")
        #expect(try await scene.scene.cards().values.allSatisfy { $0 == 1 })
        #expect(await next.end() == 0)
        await scene.scene.end()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount"))
    func `DB-06 on a file system that is full, and read-only, and has room again`() async throws {
        let home = try CrashScene.Mounted()
        defer { home.unmount() }
        let scene = try await CrashScene(person: "none", state: home.path)
        let life = try await scene.start()
        #expect(try await scene.authorize())
        let ask = { (name: String) in
            await life.caller.send(
                .post, "/v1/requests", #"{"op":"pick_item","hint":{"url":"https://\#(name).example.com"}}"#, wait: 0)
        }
        #expect(await ask("before")?.status == 202)
        // Less than the floor is left, and then nothing.
        for megabytes in [12, 100] {
            home.fill(megabytes: megabytes)
            let refused = await ask("refused\(megabytes)")
            #expect(refused?.status == 503)
            #expect(refused?.error == "storage")
            #expect(await life.caller.send(.get, "/readyz")?.json?["store"]?.string == "failing")
        }
        home.empty()
        #expect(await ask("after")?.status == 202)
        #expect(await life.caller.send(.get, "/readyz")?.json?["store"]?.string == "ok")
        #expect(await life.end() == 0)
        // Read-only from the start: one sentence, and nothing is changed.
        home.remount("ro")
        let refused = try await scene.launch().finished()
        #expect([1, 7].contains(refused.status))
        home.remount("rw")
        let next = try await scene.start()
        #expect(await next.end() == 0)
        await scene.end()
    }

    @Test func `DB-07 a writer outside that holds the lock costs a caller 503 within 6 s, and nobody behind it more`()
        async throws
    {
        let scene = try await Scene()
        let before = try #require(await scene.ask("before")?.id)
        let holder = try CrashScene.WriteLock(scene.scene.database)
        let begun = ContinuousClock.now
        let replies = await withTaskGroup(of: (HTTPCaller.Reply?, Duration).self) { group in
            for number in 0..<8 {
                group.addTask { (await scene.ask("n\(number)"), ContinuousClock.now - begun) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (reply, duration) in replies {
            #expect(reply?.status == 503)
            #expect(reply?.error == "storage")
            // Busy machines are slow by themselves; one after the other would take 40 s.
            #expect(duration < .seconds(12))
        }
        #expect(await scene.life.caller.send(.get, "/v1/requests/\(before)")?.state == "pending")
        holder.release()
        #expect(await scene.ask("after")?.status == 202)
        #expect(await scene.life.end() == 0)
        await scene.scene.end()
    }

    @Test
    func
        `DB-09 a log that is deleted under a running gateway is said within a minute, and nothing is written any more`()
        async throws
    {
        let scene = try await Scene()
        #expect(await scene.ask("before")?.status == 202)
        unlink(scene.scene.database + "-wal")
        // Nobody asks for anything: the gateway looks by itself.
        try await scene.life.process.says("replaced or deleted")
        #expect(await scene.ask("refused")?.error == "storage")
        #expect(await scene.life.caller.send(.get, "/readyz")?.json?["store"]?.string == "failing")
        _ = await scene.life.process.end()
        let next = try await scene.scene.start()
        #expect(try scene.scene.integrity() == "ok")
        #expect(await next.end() == 0)
        await scene.scene.end()
    }
}
