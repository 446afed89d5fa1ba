import Core
import Foundation
import Synchronization
import Testing

/// One kind of call fails, the first time, the second time and so on, until an operation is through without meeting it.
struct DiskFaultRound: Sendable {
    enum Operation: String, CaseIterable, Sendable {
        /// The first start: directory, key, database, tables.
        case migration
        case start
        case refresh
        case submit
        case result
        /// A new grant: it is written, and the log is emptied into the database.
        case checkpoint
    }

    let operation: Operation
    let call: DiskFaults.Call
    /// Gives how many times a call was made to fail.
    func run() async throws -> Int {
        let scene = try await CrashScene(person: "after=0s")
        // A start reads the configuration and makes the key as well.
        let isStart = operation == .migration || operation == .start
        let faults = try DiskFaults(in: scene.home, root: isStart ? scene.home.directory : scene.home.state)
        defer { faults.stop() }
        let first = try await scene.start()
        #expect(try await scene.authorize())
        _ = await first.end()
        var hits = 0
        var number = 1
        while true {
            let wasHit: Bool
            switch operation {
            case .migration, .start: wasHit = try await start(scene, faults, number)
            case .refresh, .submit, .result, .checkpoint: wasHit = try await serve(scene, faults, number)
            }
            guard wasHit else { break }
            hits += 1
            number += 1
        }
        await scene.end()
        return hits
    }

    private var code: Int32 {
        switch call {
        case .write: ENOSPC
        case .open: EMFILE
        case .mmap: ENOMEM
        case .fsync, .ftruncate, .rename: EIO
        }
    }

    private func said(_ number: Int) -> Comment { "\(operation.rawValue): \(call.rawValue) number \(number)" }

    /// The start fails with a sentence, or gets over it.
    private func start(_ scene: CrashScene, _ faults: DiskFaults, _ number: Int) async throws -> Bool {
        if operation == .migration {
            try? FileManager.default.removeItem(atPath: scene.home.state)
            try? FileManager.default.removeItem(atPath: scene.key)
        }
        try faults.order(call, from: number, code)
        let process = try Running("env", faults.environment + ["countersign", "serve"], in: scene.home)
        let isUp = (try? await process.says("listening on http://127.0.0.1:\(scene.port)")) != nil
        process.signal(isUp ? SIGTERM : SIGCONT)
        let ended = await process.finished()
        #expect(isUp ? ended.status == 0 : [1, 7].contains(ended.status), said(number))
        if !isUp { #expect(ended.errors.contains("countersign: "), said(number)) }
        let wasHit = !faults.hits.isEmpty
        faults.stop()
        try await check(scene, number, grant: operation == .migration ? "none" : "active")
        return wasHit
    }

    /// The operation ends with a typed error, or gets over it, and the gateway lives on.
    private func serve(_ scene: CrashScene, _ faults: DiskFaults, _ number: Int) async throws -> Bool {
        faults.stop()
        let process = try Running("env", faults.environment + ["countersign", "serve"], in: scene.home)
        try await process.says("listening on http://127.0.0.1:\(scene.port)")
        let life = CrashScene.Life(process: process, caller: try HTTPCaller(port: scene.port, token: scene.token))
        let wish = { (name: String) in #"{"op":"pick_item","hint":{"url":"https://\#(name)-\#(number).example.com"}}"# }
        let begun = operation == .result ? await life.caller.send(.post, "/v1/requests", wish("r"), wait: 0) : nil
        if operation == .refresh { try await scene.control("access-tokens/expire") }
        try faults.order(call, from: number, code)
        switch operation {
        case .refresh, .submit:
            let reply = await life.caller.send(.post, "/v1/requests", wish("s"), wait: 0)
            #expect([202, 503, 409].contains(reply?.status), said(number))
            if reply?.status == 503 { #expect(reply?.error == "storage", said(number)) }
        case .result:
            let id = try #require(begun?.id)
            let reply = await life.caller.send(.get, "/v1/requests/\(id)", wait: 10)
            #expect([200, 503].contains(reply?.status), said(number))
        default: _ = try await scene.authorize()
        }
        let wasHit = !faults.hits.isEmpty
        faults.stop()
        // It works again by itself.
        if operation == .checkpoint { #expect(try await scene.authorize(), said(number)) }
        if let id = begun?.id {
            let reply = await life.caller.send(.get, "/v1/requests/\(id)", wait: 10)
            #expect(reply?.hasRecord == true, said(number))
        }
        if operation == .submit || operation == .result {
            let reply = await life.caller.send(.post, "/v1/requests", wish("after"), wait: 0)
            #expect(reply?.status == 202, said(number))
        }
        if number % 2 == 0 { #expect(await life.end() == 0, said(number)) } else { await life.kill() }
        try await check(scene, number, grant: "active")
        return wasHit
    }

    /// What another start finds.
    private func check(_ scene: CrashScene, _ number: Int, grant: String) async throws {
        let life = try await scene.start()
        #expect(try scene.integrity() == "ok", said(number))
        #expect(try await scene.reuses() == 0, said(number))
        let ready = await life.caller.send(.get, "/readyz")
        #expect(ready?.json?["store"]?.string == "ok", said(number))
        let state = ready?.json?["grant"]?.string
        // The mark of a refresh that was begun is taken back by the next one that succeeds, or by the operator.
        if state == "refresh_unknown" {
            #expect(try await scene.authorize(), said(number))
        } else {
            #expect(state == grant, said(number))
        }
        #expect(await life.end() == 0, said(number))
    }
}
