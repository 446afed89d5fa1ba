import Core
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

struct AccountTests {
    private static let path = "/api/oauth/account"

    private func shown(_ house: House, _ key: SealKey) { house.fake.set { $0.identity = key } }

    private func print(_ key: SealKey) -> Fingerprint { Fingerprint(ofPublicKey: key.publicKey) }

    @Test func `an account is told with its key and vaults, by a signed call`() async throws {
        let house = try await House.authorized()
        let account = try await house.client.account()
        #expect(account.id == "acc_1")
        #expect(account.identityKey == house.fake.state.withLock { $0.identity.publicKey })
        #expect(account.vaults.map(\.id) == ["v_1"])
        #expect(house.fake.received(Self.path).count == 1)
    }

    @Test func `the first identity key is pinned on the disk, and another one is refused and remembered`() async throws
    {
        let house = try await House.authorized()
        let first = house.fake.state.withLock { $0.identity }
        let other = SealKey()
        _ = try await house.client.account()
        #expect(try await house.store.loadGrant()?.identityKey == first.publicKey)
        shown(house, other)
        let again = try await house.restarted()
        let problem = await house.problem { try await again.client.account() }
        #expect(problem?.code == .identityKeyChanged)
        #expect(problem?.status == 409)
        let status = await again.client.identityKeyStatus()
        #expect(status.pinned == print(first))
        #expect(status.offered == print(other))
        #expect(again.log.count(.error) == 1)
    }

    @Test func `the operator's word pins the key that was offered, and no other`() async throws {
        let house = try await House.authorized()
        let other = SealKey()
        _ = try await house.client.account()
        #expect(
            await house.problem { try await house.client.acceptIdentityKey(print(other).sha256) }?.code
                == .nothingPending)
        shown(house, other)
        _ = await house.problem { try await house.client.account() }
        #expect(
            await house.problem { try await house.client.acceptIdentityKey(print(SealKey()).sha256) }?.code
                == .nothingPending)
        try await house.client.acceptIdentityKey(print(other).sha256.uppercased())
        #expect(try await house.client.account().identityKey == other.publicKey)
        #expect(await house.client.identityKeyStatus().offered == nil)
        let again = try await house.restarted()
        #expect(try await again.client.account().identityKey == other.publicKey)
    }

    @Test func `what was offered is forgotten once MimiKey shows the pinned key again`() async throws {
        let house = try await House.authorized()
        let first = house.fake.state.withLock { $0.identity }
        _ = try await house.client.account()
        shown(house, SealKey())
        _ = await house.problem { try await house.client.account() }
        shown(house, first)
        _ = try await house.client.account()
        #expect(await house.client.identityKeyStatus().offered == nil)
    }

    @Test func `a refresh that was under way keeps the pin`() async throws {
        let house = try await House.authorized()
        _ = try await house.client.account()
        house.outliveAccessToken()
        _ = try await house.ask()
        shown(house, SealKey())
        #expect(await house.problem { try await house.client.account() }?.code == .identityKeyChanged)
    }

    @Test func `a new grant pins anew`() async throws {
        let house = try await House.authorized()
        _ = try await house.client.account()
        shown(house, SealKey())
        try await house.authorize()
        #expect(await house.client.identityKeyStatus().pinned == nil)
        _ = try await house.client.account()
    }

    @Test func `two first looks that see two keys agree on one`() async throws {
        let house = try await House.authorized()
        let gate = Gate()
        house.fake.faults(Self.path, .held(gate))
        async let first = house.problem { try await house.client.account() }
        await gate.untilReached()
        _ = try await house.client.account()
        shown(house, SealKey())
        gate.open()
        #expect(await first?.code == .identityKeyChanged)
    }

    @Test(
        arguments: [
            nil, "", 5, .string(Base64URL.encode([UInt8](repeating: 7, count: 31))),
            .string(Base64URL.encode([UInt8](repeating: 7, count: 33))),
            .string(Base64URL.encode([UInt8](repeating: 0, count: 32))),
            .string(Base64URL.encode([1] + [UInt8](repeating: 0, count: 31))), "not base64url!",
        ] as [JSON])
    func `what nobody may seal to is no identity key, and is not pinned`(_ key: JSON) async throws {
        let house = try await House.authorized()
        house.fake.set { $0.shownIdentity = key }
        #expect(await house.problem { try await house.client.account() }?.code == .malformedResponse)
        #expect(await house.client.identityKeyStatus().pinned == nil)
    }

    @Test func `the account of another grant is malformed`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.grantID = "gr_other" }
        #expect(await house.problem { try await house.client.account() }?.code == .malformedResponse)
    }

    @Test func `vaults replace those that the grant is known to have, here and on the disk`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.vaults = [["id": "v_9", "name": "Work", "mode": 1, "policy": "trust"]] }
        #expect(try await house.client.vaults().map(\.id) == ["v_9"])
        #expect(await house.client.grantStatus().vaults.map(\.name) == ["Work"])
        let again = try await house.restarted()
        #expect(await again.client.grantStatus().vaults.map(\.policy) == [.trust])
    }

    @Test func `a refresh without vaults keeps those that were told last`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.vaults = [["id": "v_9", "name": "Work", "mode": 1, "policy": "trust"]] }
        _ = try await house.client.vaults()
        house.fake.set { $0.vaults = nil }
        house.outliveAccessToken()
        _ = try await house.ask()
        #expect(await house.client.grantStatus().vaults.map(\.id) == ["v_9"])
    }

    @Test func `a list of vaults that cannot be read is malformed`() async throws {
        let house = try await House.authorized()
        house.fake.set { $0.vaults = [] }
        #expect(await house.problem { try await house.client.vaults() }?.code == .malformedResponse)
        #expect(await house.client.grantStatus().vaults.map(\.id) == ["v_1"])
    }

    @Test func `database_error is followed by three more looks at most, further and further apart`() async throws {
        let house = try await House.authorized()
        let failed = FakeMimiKey.Fault.answer(FakeMimiKey.error(500, "database_error"))
        house.fake.faults(Self.path, failed, failed, failed, failed)
        async let problem = house.problem { try await house.client.account() }
        for pause in [1, 2, 4] as [Int64] {
            await house.clock.untilSleepers { $0.contains(.seconds(pause)) }
            house.clock.advance(by: .seconds(pause))
        }
        #expect(await problem?.code == Wire.Code.databaseError)
        #expect(house.fake.received(Self.path).count == 4)
    }
}
