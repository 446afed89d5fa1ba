import Core
import Testing

@testable import Strongbox

struct SecretTests {
    static let canary = "canary-7f3b9d21"

    @Test func `A secret gives back its bytes and compares them`() {
        let secret = Secret(copying: Array(Self.canary.utf8))
        #expect(secret.count == Self.canary.utf8.count)
        #expect(secret.exposed() == Array(Self.canary.utf8))
        #expect(Secret(copying: []).exposed() == [])
        #expect(Secret(random: 32).count == 32)
        let others = [
            secret.isEqual(to: secret.duplicate()),
            secret.isEqual(to: Secret(copying: Array("canary-7f3b9d22".utf8))),
            secret.isEqual(to: Secret(copying: [])),
            Secret(random: 32).isEqual(to: Secret(random: 32)),
        ]
        #expect(others == [true, false, false, false])
    }

    @Test func `SE-03 A secret prints nothing`() {
        // It is not copyable, so that "\(secret)", dump(secret) and Mirror(reflecting: secret) do not compile.
        let secret = Secret(copying: Array(Self.canary.utf8))
        #expect(secret.description == "<redacted>")
        #expect(secret.debugDescription == "<redacted>")
    }

    @Test func `SE-03 What holds secrets prints nothing of them`() throws {
        let secret = Secret(copying: Array(Self.canary.utf8))
        let body = secret.withBytes { SecretBody(copying: $0) }
        let seed = Array("canary-7f3b9d21canary-7f3b9d21xx".utf8)
        let approvalKey = try ApprovalKey.from(seed)
        let sealKey = try SealKey.from(seed)
        let tokens = Tokens(
            access: secret.duplicate(), refresh: secret.duplicate(), accessExpiresAt: UnixTime(seconds: 1))
        let grant = StoredGrant(
            grantID: "gr_1", clientID: "pmc_1", origin: "https://mimikey.example", approvalKey: approvalKey,
            sealKey: sealKey, tokens: tokens, vaults: [])
        for holder in [body, approvalKey, sealKey, grant] as [any Sendable] {
            var dumped = ""
            dump(holder, to: &dumped)
            let mirrored = Mirror(reflecting: holder).children.map { "\($0.label ?? "") \($0.value)" }.joined()
            for text in ["\(holder)", String(reflecting: holder), String(describing: holder), dumped, mirrored] {
                #expect(!text.contains("canary"))
                #expect(!text.contains(Base64URL.encode(Array(Self.canary.utf8))))
            }
            #expect("\(holder)" == "<redacted>")
            #expect(String(reflecting: holder) == "<redacted>")
            #expect(Mirror(reflecting: holder).children.isEmpty)
            #expect(dumped.contains("<redacted>"))
            #expect(!(holder is any Encodable) && !(holder is any Decodable))
        }
    }

    @Test func `SE-07 Memory that the system does not lock works, and says so`() {
        var memory = LockedMemory(count: 5, lock: { _, _ in false })
        memory.copy([UInt8]([1, 2, 3, 4, 5]).span.bytes, at: 0)
        let secret = Secret(memory)
        let isLocked = secret.isLocked
        #expect(!isLocked)
        #expect(secret.exposed() == [1, 2, 3, 4, 5])
    }

    @Test func `SE-07 A secret's pages stay out of core dumps`() throws {
        let secret = Secret(random: 100)
        let address = secret.memory.withPointer { UInt(bitPattern: $0) }
        let flags = try #require(try MemoryMap.flags(of: address))
        #expect(flags.contains("dd"))
        let isLocked = secret.isLocked
        #expect(flags.contains("lo") == isLocked)
    }
}
