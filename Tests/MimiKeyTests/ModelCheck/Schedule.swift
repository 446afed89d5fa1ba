import Core
import Strongbox
import TestSupport

@testable import MimiKey
@testable import Strongbox

/// One random schedule, carried out by the real client over the real store (in memory), against the model server.
struct Schedule {
    private enum Step: CaseIterable {
        case call, advance, refresh, tryOnce, revoke, reset, authorize, disk, crash, restart, release

        var weight: Int {
            switch self {
            case .call: 34
            case .advance: 24
            case .tryOnce: 9
            case .refresh, .authorize: 6
            case .crash, .disk, .release: 5
            case .restart, .revoke: 3
            case .reset: 1
            }
        }
    }

    private static let pauses = [1, 10, 29, 31, 61, 600, 3_571, 3_590, 3_600, 3_600, 3_600, 90_000]

    private var dice: Dice
    private let clock = ManualClock()
    private let store: Store
    private let server: ModelServer
    private var client: MimiKeyClient
    private var isDiskFull = false

    /// - Parameter store: without a grant; it is left so.
    init(seed: UInt64, over store: Store) {
        var dice = Dice(seed: seed)
        self.store = store
        server = ModelServer(dice: Dice(seed: UInt64(dice.below(.max))), clock: clock, store: store)
        self.dice = dice
        client = Self.client(server, store, clock)
    }

    private static func client(_ server: ModelServer, _ store: Store, _ clock: ManualClock) -> MimiKeyClient {
        MimiKeyClient(House.configuration, store: store, send: server.send, time: clock.source)
    }

    /// Gives what happened, and what must not have happened.
    mutating func run() async throws -> (tally: Tally, faults: [String]) {
        try await client.start()
        await perform(.authorize)
        for _ in 0..<(6 + dice.below(10)) {
            await perform(dice.pick(Step.allCases.map { ($0, $0.weight) }))
            server.change { $0.tally.steps += 1 }
        }
        await end()
        try await store.refuseWrites(false)
        try await store.wipeGrant(revoked: false)
        return server.change { ($0.tally, $0.faults) }
    }

    private mutating func perform(_ step: Step) async {
        switch step {
        case .call:
            let count = 1 + dice.below(4)
            for _ in 0..<count { start { _ = try? await $0.request("rq_1") } }
        case .advance: clock.advance(by: .seconds(Self.pauses[dice.below(Self.pauses.count)]))
        case .refresh: start { _ = try? await $0.refreshNow(tryOnce: false) }
        case .tryOnce:
            // The word is for what the operator sees at this moment, and for one offer.
            let isUnknown = await client.grantStatus().state == .refreshUnknown
            if isUnknown {
                server.change {
                    $0.word = true
                    $0.tally.unknowns += 1
                }
            }
            start { [server] client in
                _ = try? await client.refreshNow(tryOnce: true)
                server.change { $0.word = false }
            }
        case .revoke:
            let force = dice.isLucky(1, of: 3)
            start { try? await $0.revoke(force: force) }
        case .reset: start { try? await $0.reset() }
        case .authorize:
            start { [server] client in
                guard let begun = try? await client.beginAuthorization(), let query = server.consent(to: begun.url)
                else {
                    return
                }
                _ = await client.handleCallback(query)
            }
        case .disk:
            isDiskFull.toggle()
            try? await store.refuseWrites(isDiskFull)
        case .crash: await crash()
        case .restart:
            await client.offerNoMoreTokens()
            await crash(orderly: true)
        case .release: server.release()
        }
        await server.until { $0.outstanding == 0 || $0.isCrashing || !$0.held.isEmpty }
        if server.change({ $0.isCrashing }) { await crash() }
        // What is not held gets a chance to go on.
        if server.change({ $0.outstanding > 0 }) { for _ in 0..<20 { await Task.yield() } }
        if server.change({ $0.isCrashing }) { await crash() }
    }

    /// A call of somebody who does not wait for this schedule.
    private func start(_ operation: @escaping @Sendable (MimiKeyClient) async -> Void) {
        server.change { $0.outstanding += 1 }
        Task { [server, client] in
            await operation(client)
            server.change { $0.outstanding -= 1 }
        }
    }

    /// Between two steps, or where the network was waited for. Only what is in the store is left; every place where a process
    /// can die lies, for the store and the server, at one of those.
    private mutating func crash(orderly: Bool = false) async {
        if !orderly {
            server.change { $0.tally.crashes += 1 }
            await client.die()
        }
        await end(isDead: !orderly)
        await client.die()
        server.change { $0.word = false }
        client = Self.client(server, store, clock)
        do {
            try await client.start()
        } catch {
            // It does not start on a full disk.
            isDiskFull = false
            try? await store.refuseWrites(false)
            client = Self.client(server, store, clock)
            try? await client.start()
        }
    }

    /// Until nothing is under way.
    private func end(isDead isKilled: Bool = false) async {
        while true {
            let isDead = server.change { state in
                defer { state.isCrashing = false }
                return state.isCrashing || isKilled
            }
            if isDead { await client.die() }
            server.release(lost: isDead)
            await server.until { $0.outstanding == 0 || $0.isCrashing || !$0.held.isEmpty }
            if server.change({ $0.outstanding == 0 && $0.held.isEmpty }) { break }
        }
        await client.finishTasks()
    }
}

extension MimiKeyClient {
    /// Forgets everything, so that whatever it still does changes nothing.
    fileprivate func die() {
        held = nil
        unstored = nil
        flows = []
        replaced = nil
    }
}

extension Store {
    /// Plays a disk that cannot be written.
    fileprivate func refuseWrites(_ isRefused: Bool) throws {
        _ = try database.reading { connection throws(SQLiteError) in
            try connection.execute(isRefused ? "PRAGMA query_only = ON" : "PRAGMA query_only = OFF")
        }
    }
}
