import Strongbox
import TestSupport

@testable import Gateway

/// One store with a grant, one MimiKey, and several gateways over them, one after the other.
struct GatewayLives {
    let clock = ManualClock()
    let mimiKey: FakeMimiKey
    let store: Store

    init() async throws {
        let clock = clock
        mimiKey = FakeMimiKey(wall: { clock.wall })
        store = try Store(.memory, keyFile: nil)
        try await store.save(mimiKey.grant)
    }

    /// One of them, from its start to its end.
    func live(_ body: @Sendable @escaping (TestGateway) async throws -> Void) async throws {
        try await withGateway(clock: clock, mimiKey: mimiKey, store: store, body)
    }
}
